import type { ToolOutcome } from "./tool-port.ts";

/** The output, cut in the middle where its text is longer than the cap (RC1): the note says how much is gone. Media are left as they are. */
export function capToolOutput(content: ToolOutcome["content"], capChars: number): ToolOutcome["content"] {
  if (typeof content === "string") return cutMiddle(content, capChars);
  let left = capChars;
  let cut = false;
  const parts = content.map((part) => {
    if (part.type !== "text") return part;
    const text = cutMiddle(part.text, left);
    left = Math.max(0, left - part.text.length);
    cut ||= text !== part.text;
    return text === part.text ? part : { ...part, text };
  });
  return cut ? parts : content;
}

/** At most `capChars` of the text, its start and its end, and a note in place of the middle. Never cuts a surrogate pair. */
function cutMiddle(text: string, capChars: number): string {
  if (text.length <= capChars) return text;
  const head = wholeUntil(text, Math.ceil(capChars / 2));
  const tail = wholeFrom(text, text.length - Math.floor(capChars / 2));
  return `${text.slice(0, head)}\n[… ${tail - head} characters left out of the middle: the output was too long …]\n${text.slice(tail)}`;
}

function wholeUntil(text: string, end: number): number {
  return isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end;
}

function wholeFrom(text: string, start: number): number {
  return isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
