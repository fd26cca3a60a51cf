import type { WireBlock } from "../transcript/index.ts";
import { blockTexts } from "./block-texts.ts";
import { codePattern } from "./fact-codes.ts";
import type { Plan, PlanFact } from "./plan.ts";

/** What of the plan stands in one text. */
export interface TextFacts {
  /** Indices of facts whose token stands there; goals among them. */
  readonly visible: readonly number[];
  /** Indices of facts that stand there with a changed digit. */
  readonly blurred: readonly number[];
  /** Items of goals that it says are finished: goal, first, last. */
  readonly marks: readonly (readonly [goal: number, first: number, last: number])[];
  readonly namesProject: boolean;
}

/** Finds facts in text by exact match: one pass with one pattern, then a comparison at each hit. Results are kept by text, up to a bound. */
export interface FactIndex {
  (text: string): TextFacts;
  /** The same for all texts of a block, without those that hold nothing. Kept by identity as well: a block is never changed. */
  readonly ofBlock: (block: WireBlock) => readonly TextFacts[];
}

interface Candidate {
  readonly token: string;
  /** Where in the token the code begins. */
  readonly offset: number;
  readonly fact: number;
  readonly blurred: boolean;
}

/** Kept texts at most, and their characters: a session of a million tokens, with room. */
const keptTexts = 20_000;
const keptChars = 64_000_000;

const nothing: TextFacts = { visible: [], blurred: [], marks: [], namesProject: false };
/** No token with a code is shorter. */
const shortest = 6;

export function createFactIndex(plan: Plan): FactIndex {
  const candidates = new Map<string, Candidate[]>();
  const add = (fact: PlanFact, token: string, blurred: boolean): void => {
    const match = blurred
      ? token.slice(fact.token.indexOf(fact.code), fact.token.indexOf(fact.code) + fact.code.length)
      : fact.code;
    const entry = { token, offset: fact.token.indexOf(fact.code), fact: fact.index, blurred };
    const known = candidates.get(match);
    if (known === undefined) candidates.set(match, [entry]);
    else known.push(entry);
  };
  for (const fact of plan.facts) {
    add(fact, fact.token, false);
    add(fact, fact.blurredToken, true);
  }
  const goalByCode = new Map(plan.goals.map((goal) => [goal.code, goal.index]));

  const scan = (text: string): TextFacts => {
    const visible = new Set<number>();
    const blurred = new Set<number>();
    const marks: [number, number, number][] = [];
    let namesProject = false;
    for (const match of text.matchAll(codePattern)) {
      const code = match[0].startsWith("=") ? match[0].slice(1) : match[0];
      const at = match.index + match[0].length - code.length;
      if (code === plan.projectCode) namesProject = true;
      for (const candidate of candidates.get(code) ?? []) {
        if (text.startsWith(candidate.token, at - candidate.offset))
          (candidate.blurred ? blurred : visible).add(candidate.fact);
      }
      const goal = goalByCode.get(code);
      if (goal !== undefined) {
        const range = markAt(text, at + code.length);
        if (range !== null) marks.push([goal, ...range]);
      }
    }
    if (visible.size === 0 && blurred.size === 0 && marks.length === 0 && !namesProject) return nothing;
    return { visible: [...visible], blurred: [...blurred], marks, namesProject };
  };

  const kept = new Map<string, TextFacts>();
  let chars = 0;
  const ofText = (text: string): TextFacts => {
    if (text.length < shortest) return nothing;
    const known = kept.get(text);
    if (known !== undefined) return known;
    if (kept.size >= keptTexts || chars + text.length > keptChars) {
      kept.clear();
      chars = 0;
    }
    const found = scan(text);
    kept.set(text, found);
    chars += text.length;
    return found;
  };
  const byBlock = new WeakMap<WireBlock, readonly TextFacts[]>();
  const ofBlock = (block: WireBlock): readonly TextFacts[] => {
    let found = byBlock.get(block);
    if (found === undefined) {
      found = blockTexts(block)
        .map(ofText)
        .filter((facts) => facts !== nothing);
      byBlock.set(block, found);
    }
    return found;
  };
  return Object.assign(ofText, { ofBlock });
}

const markPattern = /\.(\d{1,6})(?:-(\d{1,6}))?/y;

function markAt(text: string, at: number): readonly [number, number] | null {
  markPattern.lastIndex = at;
  const match = markPattern.exec(text);
  if (match === null) return null;
  const first = Number(match[1]);
  return [first, match[2] === undefined ? first : Number(match[2])];
}
