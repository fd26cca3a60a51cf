import type { WireRequest } from "../transcript/index.ts";
import type { Thinking } from "./answer.ts";
import { writeAnswer } from "./answer.ts";
import { overheadCharsPerToken, overheadTokens } from "./assumptions.ts";
import { createPlan } from "./create-plan.ts";
import type { Decision } from "./decide.ts";
import { decide } from "./decide.ts";
import { createFactIndex } from "./fact-index.ts";
import { createFileTexts } from "./file-texts.ts";
import { answerForeign } from "./foreign-answer.ts";
import { createLedger } from "./ledger.ts";
import { recogniseMemoryRequest } from "./memory-request.ts";
import { writeNotes, writeSummary } from "./memory-writer.ts";
import type { PlanFact } from "./plan.ts";
import { createInputMaker } from "./planned-input.ts";
import { profiles } from "./profiles.ts";
import { createRequestReader } from "./request-view.ts";
import { writeScript } from "./script.ts";
import { markOf } from "./step-marks.ts";
import { createTextPools, writeText } from "./text-pools.ts";
import { makeSystem, makeTools } from "./tool-schemas.ts";
import { createOutputWriter } from "./tool-texts.ts";
import type { ModelTrace } from "./trace.ts";
import { createUser } from "./user.ts";
import type { Fact, ModelContext, ModelReply, Workload, WorkloadOptions } from "./workload.ts";
import { createWorld } from "./world.ts";

/** Builds a session from its seed. The same options give the same session in every process. */
export function createWorkload(options: WorkloadOptions): Workload {
  const overrides = options.overrides ?? {};
  const profile = profiles[options.profile];
  const toolErrors = overrides.toolErrors ?? true;
  const rng = options.rng;
  const plan = createPlan({
    profile,
    rounds: options.rounds,
    rng: rng.fork("plan"),
    toolErrors,
    resultScale: overrides.resultScale ?? 1,
  });
  const pools = createTextPools(rng.fork("pools"));
  const index = createFactIndex(plan);
  const texts = createFileTexts(plan, pools, rng.fork("texts"));
  const inputs = createInputMaker(plan, texts, pools, rng.fork("inputs"));
  const world = createWorld({
    plan,
    texts,
    write: createOutputWriter(plan, pools, rng.fork("outputs")),
    remark: (step, chars) => writeText(pools, "prose", chars, rng.fork("remark", step)),
    rng: rng.fork("world"),
    toolErrors,
  });
  const readRequest = createRequestReader(plan, index);
  // Notes are written from a shorter past than the one that the main thread shows: each reader goes on where it stood.
  const readPast = createRequestReader(plan, index);
  const ledger = createLedger(plan, index);
  const script = writeScript({ plan, profile, pools, rng: rng.fork("script"), overrides });
  const overheadChars = (overrides.overheadTokens ?? overheadTokens) * overheadCharsPerToken;
  const answers = rng.fork("answers");

  const model = (request: WireRequest, context: ModelContext): ModelReply => {
    const memory = recogniseMemoryRequest(request);
    const memoryContext = {
      plan,
      index,
      readRequest: readPast,
      pools,
      rng: context.rng,
      salience: answers.fork("salience"),
    };
    if (memory?.kind === "summary")
      return writeSummary(request, memory, options.summariser ?? "typical", memoryContext);
    if (memory?.kind === "notes") return writeNotes(request, memory, options.noteTaker ?? "typical", memoryContext);
    const view = readRequest(request);
    if (!view.isOwn) return answerForeign(request, answers);
    const decision = decide(plan, view, (name) => request.tools?.some((tool) => tool.name === name) ?? false);
    const draw = answers.fork(keyOf(decision), attemptsOf(decision));
    const reply = writeAnswer(decision, { plan, view, pools, inputs, rng: draw, thinking: thinkingOf(request) });
    // What follows is measured, and changes nothing of the answer.
    ledger.observe(view);
    const trace = [...repeatedWork(decision), ...reply.trace];
    if (decision.kind === "work" && decision.batch.endsTurn)
      for (const step of decision.batch.steps) ledger.finish(step);
    return { ...reply, trace };
  };
  const repeatedWork = (decision: Decision): readonly ModelTrace[] => {
    if (decision.kind !== "work") return [];
    const again = decision.steps.filter(
      ({ step, attempt }) => attempt === 0 && step.call !== null && ledger.isDone(step.index),
    );
    return again.map(({ step }) => ({
      kind: "duplicate_work",
      step: markOf(plan.goals[step.goal]?.code ?? "", step.n),
    }));
  };
  const outline = (fact: PlanFact): Fact => ({
    id: fact.id,
    kind: fact.kind,
    token: fact.token,
    goal: plan.goals[fact.goal]?.id ?? "",
    step: fact.step === null ? 0 : (plan.steps[fact.step]?.n ?? 0),
    fetchable: fact.fetch !== null,
    supersededBy: fact.supersededBy === null ? null : (plan.facts[fact.supersededBy]?.id ?? null),
  });
  const ids = (indices: Iterable<number>): ReadonlySet<string> =>
    new Set([...indices].flatMap((at) => plan.facts[at]?.id ?? []));
  return {
    profile: options.profile,
    system: makeSystem(plan.root, overheadChars * 0.4, pools, rng),
    tools: makeTools(overheadChars * 0.6, pools, rng),
    script,
    user: createUser(plan, script, ledger),
    model,
    runTool: (call) => world.run(call),
    readFile: (path) => world.readFile(path),
    facts: plan.facts.map(outline),
    goals: plan.goals.map(({ id, token, title, steps }) => ({ id, token, title, steps: steps.length })),
    visibleFacts: (given) => {
      const found = [...(typeof given === "string" ? [given] : given)].map(index);
      return {
        visible: ids(found.flatMap(({ visible }) => visible)),
        blurred: ids(found.flatMap(({ blurred }) => blurred)),
      };
    },
    census: (given) => ledger.census(given),
    drainBirths: () => ledger.drainBirths().map(outline),
  };
}

function thinkingOf(request: WireRequest): Thinking {
  switch (request.thinking?.type) {
    case "enabled":
      return "always";
    case "adaptive":
    case "between_tools":
      return "sometimes";
    default:
      return "never";
  }
}

/** What an answer's own draws are keyed by: the same decision after the same failures is worded in the same way. */
function keyOf(decision: Decision): string {
  switch (decision.kind) {
    case "work":
      return `batch ${decision.batch.index}: ${decision.steps.map(({ step }) => step.index).join(" ")}`;
    case "look-up":
      return `look up ${decision.facts.map(({ id }) => id).join(" ")}`;
    case "ask":
      return "ask";
  }
}

function attemptsOf(decision: Decision): number {
  return decision.kind === "work" ? decision.steps.reduce((sum, { attempt }) => sum + attempt, 0) : 0;
}
