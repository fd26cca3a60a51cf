import { profileText } from "../../../tokens/index.ts";

/** Kinds of content as a reader of a table wants them: those of the estimator, the like together. */
export type ContentGroup =
  | "prose"
  | "code"
  | "JSON"
  | "logs and tables"
  | "base64, hex"
  | "Chinese, Japanese"
  | "other scripts";

/** What the calibrated estimator takes a text for. A text of several scripts is of the one that takes the most tokens. */
export function contentGroupOf(text: string): ContentGroup {
  const { kind, chinese, japanese, emoji, otherNonLatin } = profileText(text);
  if (chinese + japanese > 0.3) return "Chinese, Japanese";
  if (otherNonLatin + emoji > 0.3) return "other scripts";
  switch (kind) {
    case "prose":
    case "markdown":
      return "prose";
    case "code":
    case "yaml":
      return "code";
    case "jsonMinified":
    case "jsonIndented":
      return "JSON";
    case "csv":
    case "log":
    case "digits":
      return "logs and tables";
    case "base64":
    case "hex":
      return "base64, hex";
  }
}
