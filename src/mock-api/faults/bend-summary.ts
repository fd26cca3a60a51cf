import type { WireRequest } from "../../transcript/index.ts";
import type { Fault } from "../fault.ts";
import type { AnswerBlock, ModelAnswer } from "../ports.ts";
import { numberOf } from "./setting.ts";

/** F2: what a model may answer in place of a summary. */
export function bendSummary(fault: Fault, said: ModelAnswer, body: WireRequest, inputChars: number): ModelAnswer {
  const text = said.content.map((block) => (block.kind === "text" ? block.text : "")).join("");
  const summary = innerOf(text, "summary");
  const analysis = innerOf(text, "analysis");
  const thinking: readonly AnswerBlock[] = said.content.filter((block) => block.kind === "thinking");
  const answer = (...content: readonly AnswerBlock[]): ModelAnswer => ({ ...said, content: [...thinking, ...content] });
  const write = (written: string): ModelAnswer => answer({ kind: "text", text: written });
  switch (fault.kind) {
    case "tool-call-instead-of-summary": {
      const tool = body.tools?.[0]?.name ?? "Read";
      return answer({ kind: "tool-call", name: tool, input: { path: "src/index.ts" } });
    }
    case "empty-summary":
      return write("<analysis>\n</analysis>\n<summary></summary>");
    case "whitespace-summary":
      return write("<summary>\n   \n\t\n</summary>");
    case "thinking-only":
      return {
        ...said,
        content: [{ kind: "thinking", thinking: analysis || "What happened so far has to be written down." }],
      };
    case "no-tags":
      return write(summary);
    case "unclosed-summary":
      return write(`<analysis>\n${analysis}\n</analysis>\n<summary>\n${summary}`);
    case "unclosed-analysis":
      return write(`<analysis>\n${analysis}\n<summary>\n${summary}\n</summary>`);
    case "nested-summary":
      return write(
        `<summary>\nThe earlier summary said:\n<summary>\n${summary}\n</summary>\nand work went on.\n</summary>`,
      );
    case "html-summary-in-body":
      return write(
        `<analysis>\n${analysis}\n</analysis>\n<summary>\n${summary}\n\nThe page has:\n<details><summary>Show more</summary><p>hidden</p></details>\nand it must stay.\n</summary>`,
      );
    case "oversized-summary": {
      const line =
        "\nAnd once more, word by word, what was said before it, so that nothing is left out of this account.";
      const times = Math.ceil((inputChars * numberOf(fault, "times", 1.2)) / line.length);
      return write(`<summary>\n${summary}${line.repeat(times)}\n</summary>`);
    }
    case "truncated-summary":
      return {
        ...write(`<analysis>\n${analysis}\n</analysis>\n<summary>\n${summary.slice(0, summary.length >> 1)}`),
        stopReason: "max_tokens",
      };
    case "error-text-as-summary":
      return write("API Error: 500 Internal server error");
    default:
      throw new TypeError(`fault ${fault.id}: ${fault.kind} does not change a summary`);
  }
}

function innerOf(text: string, tag: string): string {
  const start = text.indexOf(`<${tag}>`);
  const end = text.lastIndexOf(`</${tag}>`);
  if (start < 0) return tag === "summary" ? text : "";
  return text.slice(start + tag.length + 2, end > start ? end : undefined).trim();
}
