import type { EventOf } from "./events.ts";

export type OriginName = keyof EventOf<"request_sent">["origin"];

/** Where context comes from, in the order in which it is stacked, with its name for people and its colour. */
export const origins: readonly { readonly value: OriginName; readonly label: string; readonly color: string }[] = [
  { value: "system", label: "System prompt", color: "var(--c-system)" },
  { value: "tools", label: "Tool definitions", color: "var(--c-tools)" },
  { value: "summaries", label: "Summaries", color: "var(--c-summaries)" },
  { value: "attachments", label: "Attachments", color: "var(--c-attachments)" },
  { value: "user", label: "User", color: "var(--c-user)" },
  { value: "assistant", label: "Assistant", color: "var(--c-assistant)" },
  { value: "toolResults", label: "Tool results", color: "var(--c-results)" },
];
