/** Colours of series that have no meaning of their own, told apart by colour-blind readers; marks differ in shape as well. */
export const seriesColors: readonly string[] = [
  "var(--c-assistant)",
  "var(--c-alarm)",
  "var(--c-summaries)",
  "var(--c-user)",
  "var(--c-attachments)",
  "var(--c-results)",
  "var(--c-system)",
];
