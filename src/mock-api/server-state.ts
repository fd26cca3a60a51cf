import type { MissReasons } from "./cache/miss-reason.ts";
import { createMissReasons } from "./cache/miss-reason.ts";
import type { PromptCache } from "./cache/prompt-cache.ts";
import { createPromptCache } from "./cache/prompt-cache.ts";
import type { CompactionRegistry } from "./context-management/on-demand.ts";
import { createCompactionRegistry } from "./context-management/on-demand.ts";
import { drawRates } from "./count/rates.ts";
import type { TextCounter } from "./count/true-text.ts";
import { createTextCounter } from "./count/true-text.ts";
import type { RequestReader } from "./facts/request-facts.ts";
import { createRequestReader } from "./facts/request-facts.ts";
import type { ActiveFaults } from "./faults/active-faults.ts";
import { createActiveFaults } from "./faults/active-faults.ts";
import type { FormChecker } from "./form/check-form.ts";
import { createFormChecker } from "./form/check-form.ts";
import type { ModelViewer } from "./model-view.ts";
import { createModelViewer } from "./model-view.ts";
import type { MockApiOptions, ProviderProfile } from "./options.ts";
import type { RateLimit } from "./rate-limit.ts";
import { createRateLimit } from "./rate-limit.ts";
import type { RequestNamer } from "./request-context.ts";
import { createRequestNamer } from "./request-context.ts";
import type { SinWatch } from "./sin-watch.ts";
import { createSinWatch } from "./sin-watch.ts";
import type { ThinkingRegistry } from "./thinking-registry.ts";
import { createThinkingRegistry } from "./thinking-registry.ts";

/** Everything that one mock remembers. Each part is bounded or expires. */
export interface ServerState {
  readonly options: MockApiOptions;
  readonly profile: ProviderProfile;
  readonly texts: TextCounter;
  readonly reader: RequestReader;
  readonly form: FormChecker;
  readonly namer: RequestNamer;
  readonly thinking: ThinkingRegistry;
  readonly compactions: CompactionRegistry;
  readonly cache: PromptCache;
  readonly missReasons: MissReasons;
  readonly viewer: ModelViewer;
  readonly faults: ActiveFaults;
  readonly sins: SinWatch;
  readonly rateLimit: RateLimit;
}

export function createServerState(options: MockApiOptions): ServerState {
  const texts = createTextCounter(drawRates(options.rng.fork("rates")));
  const { observer, now } = options;
  return {
    options,
    profile: options.profile ?? "anthropic",
    texts,
    reader: createRequestReader(texts),
    form: createFormChecker(),
    namer: createRequestNamer(options.rng),
    thinking: createThinkingRegistry(),
    compactions: createCompactionRegistry(),
    cache: createPromptCache(),
    missReasons: createMissReasons(),
    viewer: createModelViewer(),
    faults: createActiveFaults(options.faults ?? [], (fault, { key }) =>
      observer?.({ kind: "fault_injected", ...key, at: now(), fault: fault.id, faultKind: fault.kind }),
    ),
    sins: createSinWatch((sin, detail, { key }) => observer?.({ kind: "client_sin", ...key, at: now(), sin, detail })),
    rateLimit: createRateLimit(options.inputTokensPerMinute),
  };
}
