import type { Span } from "./literal-spans.ts";
import { codeFences, isQuoted } from "./literal-spans.ts";

export type FormattedSummary =
  | { readonly kind: "summary"; readonly text: string }
  /** `draft-only`: nothing but the analysis was written; `error-text`: an API error came in the place of an answer. */
  | { readonly kind: "unusable"; readonly reason: "empty" | "draft-only" | "error-text" };

/**
 * The summary in a model's answer (FC7): the analysis taken out, `<summary>x</summary>` as "Summary:\nx", blank lines squeezed.
 * Nothing outside the analysis is lost and nothing of the analysis is left, whatever the tags look like. Tags that are only
 * mentioned (in code fences, quotes, or HTML's `<details><summary>`) are text. An analysis that is never closed ends where a
 * summary begins; without one the whole answer was a draft.
 */
export function formatSummary(reply: string): FormattedSummary {
  const answer = withoutWrapper(reply);
  const tags = tagsIn(answer);
  if (!tags.some((tag) => tag.name === "summary") && isErrorText(answer))
    return { kind: "unusable", reason: "error-text" };
  const drafts = draftsIn(tags, answer.length);
  // Of the analysis no tag is left: each opens a draft, or lies in one.
  const visible = tags.filter((tag) => !drafts.some((draft) => contains(draft, tag)));
  const pieces = piecesOf(answer, [...drafts.map((span) => ({ span, becomes: "\n" })), ...headings(visible)]);
  if (pieces.every((piece) => piece.made || piece.text.trim() === ""))
    return { kind: "unusable", reason: drafts.length > 0 ? "draft-only" : "empty" };
  return { kind: "summary", text: squeezeBlankLines(pieces.map((piece) => piece.text).join("")).trim() };
}

/** Some models put their whole answer into one code fence: that fence is a wrapper, not a quotation. */
function withoutWrapper(reply: string): string {
  const lines = reply.trim().split("\n");
  const mark = /^(`{3,}|~{3,})[a-z]*$/i.exec((lines[0] as string).trim())?.[1];
  const inner = lines.slice(1, -1).join("\n").trim();
  const isWrapper =
    (lines.at(-1) as string).trim() === mark &&
    /^<(analysis|summary)\b/i.test(inner) &&
    /<\/(analysis|summary)\s*>$/i.test(inner);
  return isWrapper ? inner : reply;
}

interface Tag extends Span {
  readonly name: "analysis" | "summary";
  readonly closing: boolean;
}

function tagsIn(text: string): readonly Tag[] {
  const fences = codeFences(text);
  const tags: Tag[] = [];
  // HTML's <details> wants its own <summary> first: that pair is text, and ends with its own closing tag.
  let html: "details" | "summary" | null = null;
  let detailsEnd = 0;
  for (const match of text.matchAll(/<[ \t]{0,3}(\/?)[ \t]{0,3}(analysis|summary|details)(?:\s[^<>]*)?>/gi)) {
    const span = { start: match.index, end: match.index + match[0].length };
    if (fences.some((fence) => contains(fence, span)) || isQuoted(text, span)) continue;
    const closing = match[1] === "/";
    const name = (match[2] as string).toLowerCase();
    if (name === "details") {
      html = closing ? null : "details";
      detailsEnd = span.end;
    } else if (
      name === "summary" &&
      html === "details" &&
      !closing &&
      text.slice(detailsEnd, span.start).trim() === ""
    ) {
      html = "summary";
    } else if (name === "summary" && html === "summary" && closing) {
      html = null;
    } else tags.push({ ...span, name: name as Tag["name"], closing });
  }
  return tags;
}

/** The analyses: closed ones by depth; a closing tag alone is a draft of no length; an unclosed one ends at the next summary or the end. */
function draftsIn(tags: readonly Tag[], end: number): readonly Span[] {
  const drafts: Span[] = [];
  let covered = 0;
  for (const [i, tag] of tags.entries()) {
    if (tag.name !== "analysis" || tag.start < covered) continue;
    const from = tags.slice(i);
    const close = tag.closing ? tag : closingOf(from);
    const summary = from.find((later) => later.name === "summary" && !later.closing);
    covered = close?.end ?? summary?.start ?? end;
    drafts.push({ start: tag.start, end: covered });
  }
  return drafts;
}

/** Where the analysis ends that the first of these tags opens: its own closing tag by depth, else the last one before a summary begins. */
function closingOf(tags: readonly Tag[]): Tag | null {
  let depth = 0;
  let last: Tag | null = null;
  let summaryAfter = false;
  for (const tag of tags) {
    if (tag.name === "summary") summaryAfter ||= !tag.closing;
    else if (!tag.closing) depth++;
    else {
      depth--;
      if (depth === 0) return tag;
      if (!summaryAfter) last = tag;
    }
  }
  return last;
}

interface Change {
  readonly span: Span;
  readonly becomes: string;
}

/** Outermost opening tags become the heading; all other summary tags fall away. */
function headings(visible: readonly Tag[]): readonly Change[] {
  let depth = 0;
  return visible.map((tag) => {
    if (tag.closing) {
      depth = Math.max(0, depth - 1);
      return { span: tag, becomes: "\n" };
    }
    depth++;
    return { span: tag, becomes: depth === 1 ? "\nSummary:\n" : "\n" };
  });
}

interface Piece {
  readonly text: string;
  /** Put in by us: its presence alone makes no summary. */
  readonly made: boolean;
}

function piecesOf(text: string, changes: readonly Change[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { span, becomes } of [...changes].sort((a, b) => a.span.start - b.span.start)) {
    pieces.push({ text: text.slice(at, span.start), made: false }, { text: becomes, made: true });
    at = span.end;
  }
  pieces.push({ text: text.slice(at), made: false });
  return pieces;
}

/** At most one blank line in a row outside code fences, and none below the heading. */
function squeezeBlankLines(text: string): string {
  let squeezed = "";
  let at = 0;
  for (const fence of [...codeFences(text), { start: text.length, end: text.length }]) {
    squeezed += text
      .slice(at, fence.start)
      .replace(/^[ \t]+$/gm, "")
      .replace(/\n{3,}/g, "\n\n")
      .replace(/^Summary:\n+/gm, "Summary:\n");
    squeezed += text.slice(fence.start, fence.end);
    at = fence.end;
  }
  return squeezed;
}

/** An error that some gateway, or the client itself, gave as if it were the answer. Long texts talk about errors; they are none. */
function isErrorText(answer: string): boolean {
  const text = answer.trim();
  if (text.length > LONGEST_ERROR_TEXT_CHARS) return false;
  return (
    /^(api error|error:?\s+\d{3}\b|\d{3}\s+\{|<!doctype html|<html)/i.test(text) ||
    /"type"\s*:\s*"error"/.test(text) ||
    /\b(invalid_request|authentication|permission|not_found|rate_limit|overloaded|api|timeout|billing)_error\b/.test(
      text,
    ) ||
    /^(prompt is too long|input is too long|overloaded|internal server error|request timed out|connection error|credit balance is too low)\b/i.test(
      text,
    )
  );
}

/** The longest error body seen in public reports is below this; nine sections never are. */
const LONGEST_ERROR_TEXT_CHARS = 2_000;

function contains(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}
