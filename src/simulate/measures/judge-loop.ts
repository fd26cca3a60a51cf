import type { FactKind } from "../../workload/index.ts";
import { typicalSurvival } from "../../workload/index.ts";
import type { KindInLoop, LoopRow } from "./closed-loop.ts";

/** One thing that the closed loop must show, and whether it did. */
export interface LoopFinding {
  readonly says: string;
  readonly holds: boolean;
  readonly figures: string;
}

/** Survivals further apart than this are held to their order; nearer ones are left to chance. */
const tellingGap = 0.25;
/** Needs of a kind from which its share is worth comparing. */
const enoughNeeds = 20;
/** Needs across a compaction of facts that nothing brings back, which a row of typical memory must have (issue 6). */
const enoughLosses = 40;

/** Judges rows of several sessions together. A finding that no row speaks of is left out. */
export function judgeLoop(rows: readonly LoopRow[]): readonly LoopFinding[] {
  const of = (way: LoopRow["way"]): readonly LoopRow[] => rows.filter((row) => row.way === way);
  const named = (those: readonly LoopRow[]): string => those.map(({ profile }) => profile).join(", ") || "none";
  const findings: LoopFinding[] = [];
  const perfect = of("perfect");
  if (perfect.length > 0) {
    const wrong = perfect.filter(
      ({ ends, violations, lostGoals, statedDrops }) =>
        ends !== "completed" || (statedDrops === 0 && violations + lostGoals > 0),
    );
    findings.push({
      says: "a perfect memory finishes every session, with no violation and no lost goal where no rounds were dropped",
      holds: wrong.length === 0,
      figures: `not so: ${named(wrong)}; with stated drops: ${named(perfect.filter(({ statedDrops }) => statedDrops > 0))}`,
    });
  }
  const typical = of("typical");
  if (typical.length > 0) {
    const needs = sum(typical, ({ needsAcrossCompactions }) => needsAcrossCompactions);
    const violations = sum(typical, (row) => row.violations);
    const refetches = sum(typical, (row) => row.refetches);
    findings.push({
      says: `a typical memory forgets: violations and re-fetches, where at least ${enoughLosses} facts that nothing brings back were needed after a compaction`,
      holds: needs >= enoughLosses && violations > 0 && refetches > 0,
      figures: `${needs} needed, ${violations} violations, ${refetches} re-fetches`,
    });
    const { pairs, wrong } = orderOf(pooled(typical));
    findings.push({
      says: `kinds that survive a pass less often are gone more often (survivals more than ${tellingGap} apart, at least ${enoughNeeds} needs of each)`,
      holds: wrong.length === 0 && pairs > 0,
      figures: `${pairs} pairs, not so: ${wrong.join(", ") || "none"}`,
    });
  }
  const truncated = of("truncate-oldest");
  if (truncated.length > 0) {
    const lost = sum(truncated, ({ lostGoals }) => lostGoals);
    findings.push({
      says: "dropping the oldest rounds loses goals",
      holds: lost > 0,
      figures: `${lost} goals lost, by ${named(truncated.filter(({ lostGoals }) => lostGoals > 0))}`,
    });
  }
  const unlimited = of("unlimited");
  if (unlimited.length > 0) {
    const wrong = unlimited.filter(({ ends, goalsDone, goals }) => ends !== "completed" || goalsDone < goals);
    findings.push({
      says: "without compaction, in a window without end, every task is finished",
      holds: wrong.length === 0,
      figures: `not so: ${named(wrong)}`,
    });
  }
  const broken = rows.filter(({ brokenInvariants }) => brokenInvariants.length > 0);
  findings.push({ says: "no invariant is broken", holds: broken.length === 0, figures: `broken by: ${named(broken)}` });
  return findings;
}

/** The kinds of several rows together, weakest survival last. */
export function pooled(rows: readonly LoopRow[]): readonly KindInLoop[] {
  const kinds = new Map<FactKind, KindInLoop>();
  for (const { byKind } of rows) {
    for (const row of byKind) {
      const known = kinds.get(row.kind);
      kinds.set(row.kind, {
        kind: row.kind,
        needed: row.needed + (known?.needed ?? 0),
        gone: row.gone + (known?.gone ?? 0),
        violations: row.violations + (known?.violations ?? 0),
        refetches: row.refetches + (known?.refetches ?? 0),
      });
    }
  }
  return [...kinds.values()].sort((a, b) => typicalSurvival[b.kind] - typicalSurvival[a.kind]);
}

/** Kinds that a tool call brings back are seen again on the way, so only the others follow what a summary keeps. */
const broughtBack: ReadonlySet<FactKind> = new Set(["file-modified", "file-read", "exact-value", "tool-detail"]);

function orderOf(kinds: readonly KindInLoop[]): { readonly pairs: number; readonly wrong: readonly string[] } {
  const telling = kinds.filter(({ kind, needed }) => !broughtBack.has(kind) && needed >= enoughNeeds);
  const wrong: string[] = [];
  let pairs = 0;
  for (const [i, stronger] of telling.entries()) {
    for (const weaker of telling.slice(i + 1)) {
      if (typicalSurvival[stronger.kind] - typicalSurvival[weaker.kind] <= tellingGap) continue;
      pairs++;
      if (stronger.gone / stronger.needed >= weaker.gone / weaker.needed)
        wrong.push(`${stronger.kind} and ${weaker.kind}`);
    }
  }
  return { pairs, wrong };
}

function sum(rows: readonly LoopRow[], of: (row: LoopRow) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}
