import type { ModelInfo } from "../../tokens/index.ts";
import type { ApiError } from "../api-error.ts";
import { invalid } from "../api-error.ts";
import { messageShape, requestShape, systemShape, toolShape } from "./request-shape.ts";
import type { FormProblem, Need, Shape } from "./shape.ts";
import { isObject, join, within } from "./shape.ts";

/** What the form of one message or tool is, found once for the object. */
interface FormFacts {
  readonly problem: FormProblem | undefined;
  readonly needs: readonly Need[];
}

export interface FormChecker {
  /** The first place where the body has the wrong form, a field too many, or a beta's field without its header (A6). */
  check(
    body: Readonly<Record<string, unknown>>,
    model: ModelInfo,
    betas: ReadonlySet<string>,
    /** So many leading messages have passed before, under the same model and betas. */
    passed?: number,
    /** The objects were parsed for this request, so it is idle to remember them. */
    isParsed?: boolean,
  ): ApiError | undefined;
}

/** At most so many messages (V2). */
const mostMessages = 100_000;

export function createFormChecker(): FormChecker {
  const known = new WeakMap<object, FormFacts>();
  const factsOf = (value: unknown, shape: Shape, isParsed: boolean): FormFacts => {
    const remembered = isObject(value) && !isParsed ? known.get(value) : undefined;
    if (remembered !== undefined) return remembered;
    const needs: Need[] = [];
    const facts: FormFacts = { problem: shape(value, needs), needs };
    if (isObject(value) && !isParsed) known.set(value, facts);
    return facts;
  };

  return {
    check: (body, model, betas, passed = 0, isParsed = false) => {
      const unmet = (need: Need): boolean =>
        need.capability === undefined ? !hasBeta(need.betas ?? [], betas) : !model[need.capability];
      const each = (name: string, list: readonly unknown[], shape: Shape, from: number): ApiError | undefined => {
        for (let i = from; i < list.length; i++) {
          const { problem, needs } = factsOf(list[i], shape, isParsed);
          if (problem !== undefined) return invalid(`${join(`${name}.${i}`, problem.path)}: ${problem.text}`);
          for (const need of needs) if (unmet(need)) return extra(join(`${name}.${i}`, need.path));
        }
        return undefined;
      };
      if (body.thread !== undefined && body.thread !== null) return extra("thread");
      const needs: Need[] = [];
      const problem = requestShape(body, needs) ?? within("system", systemShape, body.system ?? "", needs);
      if (problem !== undefined) return invalid(`${problem.path}: ${problem.text}`);
      for (const need of needs) if (unmet(need)) return extra(need.path);
      const tools = body.tools ?? [];
      if (!Array.isArray(tools)) return invalid("tools: Input should be a valid list");
      const { messages } = body;
      if (!Array.isArray(messages)) return invalid("messages: Input should be a valid list");
      if (messages.length === 0) return invalid("messages: at least one message is required");
      if (messages.length > mostMessages)
        return invalid(
          `messages: List should have at most ${mostMessages} items after validation, not ${messages.length}`,
        );
      return each("tools", tools, toolShape, 0) ?? each("messages", messages, messageShape, passed);
    },
  };
}

function extra(path: string): ApiError {
  return invalid(`${path}: Extra inputs are not permitted`);
}

function hasBeta(wanted: readonly string[], betas: ReadonlySet<string>): boolean {
  return wanted.some((name) =>
    name.endsWith("-") ? [...betas].some((beta) => beta.startsWith(name)) : betas.has(name),
  );
}
