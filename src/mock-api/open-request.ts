import type { ModelInfo } from "../tokens/index.ts";
import type { WireRequest } from "../transcript/index.ts";
import type { ApiError } from "./api-error.ts";
import { invalid } from "./api-error.ts";
import type { Call } from "./call.ts";
import { adoptCompaction } from "./context-management/adopt-compaction.ts";
import type { RequestFacts } from "./facts/request-facts.ts";
import type { ServerState } from "./server-state.ts";
import { checkBasics, checkBodySize } from "./validate/basics.ts";
import type { RuleContext } from "./validate/rule.ts";
import { newVersion } from "./validate/sampling.ts";

/** A request whose form is right: its parts can be trusted and read. */
export interface OpenRequest {
  readonly body: WireRequest;
  readonly model: ModelInfo;
  readonly facts: RequestFacts;
  readonly rules: RuleContext;
  /** Asked for by a beta header or the query: the response then carries the beta's fields. */
  readonly isBeta: boolean;
  /** Names the rules under which it was read. */
  readonly conditions: string;
}

const versions: readonly string[] = ["2023-06-01", newVersion];

/** The first part of V1, the version and the form (A2, A6). Without the version header a call is taken as one of the newest (direct path). */
export function openRequest(call: Call, { form, reader, profile, options }: ServerState): ApiError | OpenRequest {
  const basics = checkBasics(call);
  if ("status" in basics) return basics;
  const { body, model } = basics;
  const version = call.headers["anthropic-version"] ?? newVersion;
  if (!versions.includes(version))
    return invalid(`anthropic-version: "${version.slice(0, 40)}" is not a valid version`);
  const betas = betasOf(call.headers["anthropic-beta"]);
  const conditions = `${body.model}|${call.headers["x-longhaul-source"] ?? ""}|${version}|${[...betas].join()}`;
  const isParsed = call.isParsed === true;
  const problem = form.check(body, model, betas, reader.acceptedStart(body.messages, conditions), isParsed);
  if (problem !== undefined) return problem;
  const isBeta = betas.size > 0 || /[?&]beta=true/.test(call.path);
  const facts = reader.read(body, model, { conditions, isParsed });
  const tooLarge = options.windowOverride === "unlimited" ? undefined : checkBodySize(facts);
  if (tooLarge !== undefined) return tooLarge;
  return { body, model, facts, rules: { profile, betas, version }, isBeta, conditions };
}

/** The facts of what the model sees after compaction blocks are adopted. */
export function adoptedFacts(request: OpenRequest, { reader }: ServerState): RequestFacts {
  if (request.facts.last.compactions === 0) return request.facts;
  const adopted = adoptCompaction(request.body);
  return adopted === request.body ? request.facts : reader.read(adopted, request.model);
}

const noBetas: ReadonlySet<string> = new Set();

function betasOf(header: string | undefined): ReadonlySet<string> {
  if (header === undefined || header === "") return noBetas;
  return new Set(header.split(",").map((name) => name.trim()));
}
