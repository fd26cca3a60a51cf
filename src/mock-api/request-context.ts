import type { Rng } from "../determinism/index.ts";
import type { QuerySource, WireRequest } from "../transcript/index.ts";
import type { RequestKey } from "./event.ts";
import { GenerationCache } from "./generation-cache.ts";
import { digitsOf } from "./identity.ts";
import { sourceOf } from "./source.ts";

/** Who a request is, and the random stream of its own (D3). */
export interface RequestContext {
  readonly key: RequestKey;
  readonly rng: Rng;
  readonly requestId: string;
  /** How many requests there were before this one, of all and of its source. */
  readonly nth: number;
  readonly nthOfSource: number;
  readonly isOurClient: boolean;
}

/** Names requests as they arrive: by (source, turn, round, attempt) for our client, by order for others (A1). */
export interface RequestNamer {
  /** `body` is undefined where the form was wrong. */
  next(headers: Readonly<Record<string, string>>, body: WireRequest | undefined): RequestContext;
}

export function createRequestNamer(root: Rng): RequestNamer {
  let nth = 0;
  const bySource = new Map<QuerySource, number>();
  const seen = new GenerationCache<string, number>(4_096);
  return {
    next: (headers, body) => {
      const source = sourceOf(headers, body);
      nth++;
      const nthOfSource = (bySource.get(source) ?? 0) + 1;
      bySource.set(source, nthOfSource);
      const isOurClient = headers["x-longhaul-source"] !== undefined;
      const key = {
        source,
        turn: numberIn(headers["x-longhaul-turn"]) ?? 0,
        round: numberIn(headers["x-longhaul-round"]) ?? nthOfSource,
        attempt: numberIn(headers["x-longhaul-attempt"]) ?? 1,
      };
      const name = `${source}/${key.turn}/${key.round}/${key.attempt}`;
      // A name that comes again (a client that numbers badly) still gets a stream of its own.
      const again = seen.get(name) ?? 0;
      seen.set(name, again + 1);
      const rng = root.fork("request", source, key.turn, key.round, key.attempt, ...(again === 0 ? [] : [again]));
      return { key, rng, requestId: `req_${digitsOf(rng, "id", 24)}`, nth, nthOfSource, isOurClient };
    },
  };
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
