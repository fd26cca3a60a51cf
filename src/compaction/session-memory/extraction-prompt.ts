import type { Estimator } from "../../tokens/index.ts";
import type { SessionMemoryConfig } from "../config.ts";
import { measureNotes } from "./limit-notes.ts";
import { readNotes, writeNotes } from "./notes-template.ts";

/** The last message of an extraction's request (SM1): the notes as they are, and how they are to be brought up to date. */
export function extractionPrompt(notes: string, config: SessionMemoryConfig, estimator: Estimator): string {
  const { total, tooLong } = measureNotes(notes, config, estimator);
  const parts = [
    // Stryker disable StringLiteral: what the words must bring about is tested with a model; the words themselves are no rule.
    "This message is not from the user and is no part of the conversation. Bring the notes of this session up to date with everything above. They must let somebody who has not seen the conversation go on with the work.",
    "Answer with the whole new notes between <notes> and </notes>, and with nothing else. Do not call a tool: the answer is your only turn.",
    `Rules:
- Keep every heading and the line in italics under it exactly as they are, in this order. Write below them; add no heading of the form "# …".
- Keep what is still true. Change what no longer holds. Leave a section empty rather than filling it with nothing.
- Be exact: file paths, names, signatures, commands, error texts and values as they were written, no paraphrase.
- "Current State" must always say what was done last and what comes next.
- Leave out what can be read again at any time, this message, and the notes themselves.
- No section longer than about ${config.sectionTokens} tokens, and ${config.totalTokens} for all: shorten what is old and done first.`,
    // Stryker restore StringLiteral
  ];
  if (tooLong.length > 0) parts.push(`Too long now, shorten: ${tooLong.join(", ")}.`);
  if (total > config.totalTokens) {
    parts.push(
      `The notes have about ${Math.ceil(total)} tokens, which is too many: shorten them to ${config.totalTokens}.`,
    );
  }
  return [...parts, `The notes so far:\n\n<notes>\n${notes.trim()}\n</notes>`].join("\n\n");
}

export type ReadAnswer =
  | { readonly kind: "notes"; readonly notes: string }
  | { readonly kind: "failed"; readonly reason: "no-notes" | "unclosed" | "no-sections" };

/**
 * The new notes out of an answer. What stands outside the tags is ignored; a section that the answer leaves out keeps its earlier text,
 * so that a forgetful answer loses nothing. An answer without the closing tag was cut, and is not used.
 */
export function readExtraction(answer: string, earlier: string): ReadAnswer {
  const notes = /<notes>([\s\S]*)<\/notes>/.exec(answer)?.[1];
  if (notes === undefined) return { kind: "failed", reason: answer.includes("<notes>") ? "unclosed" : "no-notes" };
  const bodies = readNotes(notes);
  if (bodies.size === 0) return { kind: "failed", reason: "no-sections" };
  return { kind: "notes", notes: writeNotes(new Map([...readNotes(earlier), ...bodies])) };
}
