/** What all charts over rounds share, so that they stand exactly under each other and zoom together. */
export const frame = {
  $schema: "https://vega.github.io/schema/vega-lite/v6.json",
  autosize: { type: "fit-x", contains: "padding" },
  padding: { left: 2, top: 20, right: 12, bottom: 2 },
} as const;

/** Room for the labels of the left axis, px. */
export const leftRoom = 44;

/** Labels of tokens: 200K, not 200k; nought without a unit. */
export const tokenAxis = {
  format: "~s",
  labelExpr: "datum.value === 0 ? '0' : replace(datum.label, 'k', 'K')",
} as const;

/** Shift and wheel zoom (a bare wheel scrolls the page), a drag with the mouse moves (a finger scrolls), a double click goes back. */
export const zoom: {
  name: "zoom";
  select: { type: "interval"; encodings: ["x"]; zoom: string; translate: string };
  bind: "scales";
} = {
  name: "zoom",
  select: {
    type: "interval",
    encodings: ["x"],
    zoom: "wheel![event.shiftKey]",
    translate: "[pointerdown[event.pointerType === 'mouse'], window:pointerup] > window:pointermove!",
  },
  bind: "scales",
};

export interface RoundSpan {
  readonly first: number;
  readonly last: number;
}

/** The axis of rounds. */
export function roundAxis({ first, last }: RoundSpan, title: string | null): object {
  return {
    field: "round",
    type: "quantitative",
    title,
    scale: { domain: [first - 0.5, last + 1], nice: false },
    axis: { tickMinStep: 1, format: ",d", grid: false },
  };
}
