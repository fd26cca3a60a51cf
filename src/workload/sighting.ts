import type { WireBlock, WireMessage } from "../transcript/index.ts";
import type { FactIndex, TextFacts } from "./fact-index.ts";
import type { Plan, PlanGoal } from "./plan.ts";
import { purposeOf } from "./step-marks.ts";

/** A call that stands in a request: the item that it is for, or the fact that it looks up again. */
export interface SeenAttempt {
  readonly step: number | undefined;
  readonly again: string | undefined;
  readonly result: "none" | "ok" | "error";
}

/** What has been read so far of one request, message by message. */
export interface Sighting {
  /** By fact, by fact, by step: 1 where it was seen. */
  readonly seen: Uint8Array;
  readonly blurred: Uint8Array;
  readonly done: Uint8Array;
  namesProject(): boolean;
  failures(step: number): number;
  /** Calls that look the fact up again, oldest first. */
  tries(fact: string): readonly SeenAttempt[];
  /** Calls of the newest answer of the assistant. */
  newestAttempts(): readonly SeenAttempt[];
  readSystem(blocks: readonly WireBlock[]): void;
  readMessage(message: WireMessage): void;
}

/** Nothing seen yet. */
export function createSighting(plan: Plan, index: FactIndex): Sighting {
  return layerOn(null, plan, index);
}

interface Layer extends Sighting {
  readonly plan: Plan;
  readonly index: FactIndex;
  readonly goalByCode: ReadonlyMap<string, PlanGoal>;
  attempt(id: string): SeenAttempt | undefined;
  newestIds(): readonly string[];
  triedIds(fact: string): readonly string[];
}

/** Reads on from `start`, which stays as it is; what `beside` has seen is seen, too. */
export function extendSighting(start: Sighting, beside: Sighting): Sighting {
  const below = start as Layer;
  const layer = layerOn(below, below.plan, below.index, beside.namesProject());
  merge(layer.seen, beside.seen);
  merge(layer.blurred, beside.blurred);
  return layer;
}

function merge(into: Uint8Array, from: Uint8Array): void {
  for (let at = 0; at < from.length; at++) if (from[at] === 1) into[at] = 1;
}

function layerOn(below: Layer | null, plan: Plan, index: FactIndex, named = false): Layer {
  const seen = below?.seen.slice() ?? new Uint8Array(plan.facts.length);
  const blurred = below?.blurred.slice() ?? new Uint8Array(plan.facts.length);
  const done = below?.done.slice() ?? new Uint8Array(plan.steps.length);
  const goalByCode = below?.goalByCode ?? new Map(plan.goals.map((goal) => [goal.code, goal]));
  const attempts = new Map<string, SeenAttempt>();
  const failed = new Map<number, number>();
  const tried = new Map<string, string[]>();
  let newest: string[] | null = null;
  let isNamed = named || (below?.namesProject() ?? false);
  const attempt = (id: string): SeenAttempt | undefined => attempts.get(id) ?? below?.attempt(id);

  const read = (found: TextFacts, marksCount: boolean): void => {
    for (const fact of found.visible) seen[fact] = 1;
    for (const fact of found.blurred) blurred[fact] = 1;
    if (found.namesProject) isNamed = true;
    if (!marksCount) return;
    for (const [goal, first, last] of found.marks) {
      const steps = plan.goals[goal]?.steps ?? [];
      for (let n = first; n <= last && n <= steps.length; n++) done[steps[n - 1] ?? 0] = 1;
    }
  };
  const readCall = (block: WireBlock): void => {
    const purpose = purposeOf(block.input);
    const id = String(block.id);
    const step = purpose.kind === "step" ? goalByCode.get(purpose.code)?.steps[purpose.n - 1] : undefined;
    const again = purpose.kind === "again" ? purpose.fact : undefined;
    attempts.set(id, { step, again, result: "none" });
    newest?.push(id);
    if (again === undefined) return;
    const ids = tried.get(again);
    if (ids === undefined) tried.set(again, [id]);
    else ids.push(id);
  };
  const readResult = (block: WireBlock): void => {
    const id = String(block.tool_use_id);
    const made = attempt(id);
    if (made === undefined || made.result !== "none") return;
    const result = block.is_error === true ? "error" : "ok";
    attempts.set(id, { ...made, result });
    if (made.step === undefined) return;
    if (result === "ok") done[made.step] = 1;
    else failed.set(made.step, (failed.get(made.step) ?? 0) + 1);
  };
  const readBlocks = (blocks: readonly WireBlock[], marksCount: boolean): void => {
    for (const block of blocks) {
      if (block.type === "tool_use") readCall(block);
      if (block.type === "tool_result") readResult(block);
      // A call says what it is for, not that it is done.
      for (const found of index.ofBlock(block)) read(found, marksCount && block.type !== "tool_use");
    }
  };
  const newestIds = (): readonly string[] => newest ?? below?.newestIds() ?? [];
  const triedIds = (fact: string): readonly string[] => [...(below?.triedIds(fact) ?? []), ...(tried.get(fact) ?? [])];
  const made = (ids: readonly string[]): readonly SeenAttempt[] => ids.flatMap((id) => attempt(id) ?? []);
  return {
    plan,
    index,
    goalByCode,
    seen,
    blurred,
    done,
    attempt,
    newestIds,
    triedIds,
    namesProject: () => isNamed,
    failures: (step) => (failed.get(step) ?? 0) + (below?.failures(step) ?? 0),
    tries: (fact) => made(triedIds(fact)),
    newestAttempts: () => made(newestIds()),
    readSystem: (blocks) => readBlocks(blocks, false),
    readMessage: ({ role, content }) => {
      if (role === "assistant") newest = [];
      readBlocks(blocksIn(content), true);
    },
  };
}

function blocksIn(content: string | readonly WireBlock[]): readonly WireBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
