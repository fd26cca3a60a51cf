import type { Rng } from "../determinism/index.ts";
import { textShareInLoop, thinkingShare, upperHalfInLoop } from "./assumptions.ts";
import { calibration } from "./calibration.ts";
import type { Decision, StepInHand } from "./decide.ts";
import type { Plan, PlanBatch, PlanFact, PlanGoal } from "./plan.ts";
import type { InputMaker, ToolInput } from "./planned-input.ts";
import { valueAt } from "./quantiles.ts";
import type { RequestView } from "./request-view.ts";
import { againMark, markOf, markRanges } from "./step-marks.ts";
import type { TextPools } from "./text-pools.ts";
import { writeText } from "./text-pools.ts";
import type { ModelTrace } from "./trace.ts";
import type { AnswerBlock, ModelReply } from "./workload.ts";

/** Sentences by which the user knows what a text that ends a turn means. */
export const asksForGoal = "I can no longer see what I was asked to do. What should I work on?";
export const asksToGoOn = "Shall I go on?";

export type Thinking = "never" | "sometimes" | "always";

export interface AnswerContext {
  readonly plan: Plan;
  readonly view: RequestView;
  readonly pools: TextPools;
  readonly inputs: InputMaker;
  /** Of this decision: keyed by what is done and how often it was tried. */
  readonly rng: Rng;
  readonly thinking: Thinking;
}

/** Puts a decision into the form of an answer: thinking, text, calls, in the measured sizes (M3). */
export function writeAnswer(decision: Decision, context: AnswerContext): ModelReply {
  const { content, trace } = formOf(decision, context);
  const { plan, view } = context;
  const closed = decision.kind === "work" && decision.batch.endsTurn ? decision.batch.steps : [];
  const givenUp = decision.kind === "work" ? decision.givenUp.map(({ index }) => index) : [];
  return { content, trace: [...doneTrace(plan, view, [...view.justDone, ...closed], givenUp), ...trace] };
}

function formOf(decision: Decision, context: AnswerContext): ModelReply {
  switch (decision.kind) {
    case "ask":
      return { content: [text(context, asksForGoal)], trace: [{ kind: "lost_goal", goal: decision.goal }] };
    case "look-up":
      return {
        content: [
          ...think(context),
          ...restated(decision.batch, context),
          ...decision.facts.map((fact) => lookUp(context.plan, fact, context.inputs)),
        ],
        trace: decision.trace,
      };
    case "work":
      return writeWork(decision, context);
  }
}

function writeWork(decision: Decision & { readonly kind: "work" }, context: AnswerContext): ModelReply {
  const { plan, view } = context;
  const { batch, steps } = decision;
  const said = [
    ...batch.restates.filter((fact) => view.sees(fact)),
    ...batch.states.filter((fact) => !view.sees(fact)),
  ];
  const sentences = said.map((fact) => plan.facts[fact]?.sentence ?? "");
  for (const { goal, n } of decision.givenUp) {
    sentences.push(`Left out after several failures: ${markOf(plan.goals[goal]?.code ?? "", n)}.`);
  }
  const calls = steps.flatMap((inHand) => (inHand.step.call === null ? [] : [callFor(inHand, context)]));
  const closes = batch.endsTurn ? [closing(batch, context)] : [];
  const speaks =
    closes.length > 0 ||
    sentences.length > 0 ||
    calls.length === 0 ||
    context.rng.fork("speaks").chance(textShareInLoop);
  const body = speaks ? [text(context, ...sentences, ...closes)] : [];
  return {
    content: [...think(context), ...body, ...calls],
    trace: decision.trace,
  };
}

/** What the newest results showed and cannot be fetched again is said at once, before looking something else up (W2). */
function restated(batch: PlanBatch, context: AnswerContext): readonly AnswerBlock[] {
  const facts = batch.restates.filter((fact) => context.view.sees(fact));
  return facts.length === 0 ? [] : [text(context, ...facts.map((fact) => context.plan.facts[fact]?.sentence ?? ""))];
}

function callFor({ step, attempt, beliefs }: StepInHand, { plan, inputs }: AnswerContext): AnswerBlock {
  const path = beliefs.find(({ fact }) => fact.kind === "file-read")?.token ?? null;
  const values = beliefs.flatMap(({ fact, token }) => (fact.kind === "exact-value" && token !== null ? [token] : []));
  const mark = markOf(plan.goals[step.goal]?.code ?? "", step.n);
  return call(step.call?.tool ?? "", inputs(step.index, { attempt, path, values, mark }));
}

function lookUp(plan: Plan, fact: PlanFact, inputs: InputMaker): AnswerBlock {
  const step = againMark(fact.id);
  switch (fact.fetch?.kind) {
    case "read":
      return call("Read", { file_path: `${plan.root}/${plan.files[fact.fetch.file]?.path}`, step });
    case "grep":
      return call("Grep", { pattern: plan.files[fact.fetch.file]?.symbol ?? "", output_mode: "content", step });
    case "git":
      return call("Bash", {
        command: `git status --short -- src/${fact.fetch.area}`,
        description: "See what has been changed",
        step,
      });
    default: {
      const at = fact.fetch?.step ?? 0;
      const known = { attempt: 0, path: null, values: [], mark: step };
      return call(plan.steps[at]?.call?.tool ?? "Bash", inputs(at, known));
    }
  }
}

function call(name: string, input: ToolInput): AnswerBlock {
  return { kind: "tool-call", name, input };
}

/** What the turn has done, as far as it is visible, and whether the goal is reached. */
function closing(batch: PlanBatch, { plan, view }: AnswerContext): string {
  const goal = plan.goals[batch.goal];
  const own = batch.steps[0] ?? 0;
  const steps = goal?.steps ?? [];
  const done = steps.flatMap((step, i) => {
    const ofThisTurn = plan.batches[plan.steps[step]?.batch ?? 0]?.turn === batch.turn;
    return step === own || (ofThisTurn && view.isDone(step)) ? [i + 1] : [];
  });
  const end = steps.at(-1) === own ? "That was the last of it." : asksToGoOn;
  return `Done: ${markRanges(goal?.code ?? "", done)}. ${end}`;
}

/** Steps that are newly finished, and the goals that nothing is left of. */
function doneTrace(
  plan: Plan,
  view: RequestView,
  finished: readonly number[],
  givenUp: readonly number[],
): readonly ModelTrace[] {
  const goalOf = (step: number): PlanGoal | undefined => plan.goals[plan.steps[step]?.goal ?? -1];
  const steps = finished.flatMap((step): readonly ModelTrace[] => {
    const goal = goalOf(step);
    return goal === undefined
      ? []
      : [{ kind: "step_done", goal: goal.id, step: markOf(goal.code, plan.steps[step]?.n ?? 0) }];
  });
  const settled = [...finished, ...givenUp];
  const goals = [...new Set(settled.map(goalOf))].flatMap((goal): readonly ModelTrace[] => {
    const isDone = goal?.steps.every((step) => view.isDone(step) || settled.includes(step));
    return goal !== undefined && isDone ? [{ kind: "goal_done", goal: goal.id }] : [];
  });
  return [...steps, ...goals];
}

function think({ thinking, pools, rng }: AnswerContext): readonly AnswerBlock[] {
  if (thinking === "never" || (thinking === "sometimes" && !rng.fork("thinks").chance(thinkingShare))) return [];
  const chars = Math.round(valueAt(calibration.thinkingChars, rng.fork("thinking-size").next()));
  return [{ kind: "thinking", thinking: writeText(pools, "prose", chars, rng.fork("thinking")) }];
}

function text({ pools, rng }: AnswerContext, ...sentences: readonly string[]): AnswerBlock {
  const draw = rng.fork("text-size");
  const ends = sentences.some((sentence) => sentence.startsWith("Done: "));
  const upper = ends || draw.chance(upperHalfInLoop);
  const chars = Math.round(valueAt(calibration.textChars, (upper ? 0.5 : 0) + draw.next() / 2));
  const length = sentences.join(" ").length + 1;
  const filler = chars - length > 20 ? [writeText(pools, "prose", chars - length, rng.fork("text"))] : [];
  const whole = ends ? [...filler, ...sentences] : [...sentences, ...filler];
  return { kind: "text", text: whole.join(" ").trim() || "Next." };
}
