import type { Link } from "../facts/link.ts";
import { GenerationCache } from "../generation-cache.ts";
import type { Positions } from "./positions.ts";

/** Why a request did not read what an earlier one wrote: `diagnostics` of the response (A5). */
export interface MissReasons {
  remember(messageId: string, model: string, positions: Positions): void;
  /** Null where nothing was missed, or nothing was asked. */
  explain(request: Readonly<Record<string, unknown>>, model: string, positions: Positions, readTokens: number): unknown;
}

interface Earlier {
  readonly model: string;
  readonly toolsKey: number;
  readonly systemKey: number;
  readonly lastKey: number;
  readonly total: number;
}

export function createMissReasons(): MissReasons {
  const earlier = new GenerationCache<string, Earlier>(10_000);
  return {
    remember: (messageId, model, { toolsKey, systemKey, last, total }) =>
      earlier.set(messageId, { model, toolsKey, systemKey, lastKey: last.keys.at(-1) ?? 0, total }),
    explain: (request, model, positions, readTokens) => {
      const asked = request.diagnostics as { readonly previous_message_id?: string | null } | null | undefined;
      if (asked === null || asked === undefined) return null;
      const id = asked.previous_message_id;
      if (id === null || id === undefined) return { cache_miss_reason: null };
      const before = earlier.get(id);
      if (before === undefined) return { cache_miss_reason: { type: "previous_message_not_found" } };
      const type = changeSince(before, model, positions);
      if (type === null && readTokens > 0) return { cache_miss_reason: null };
      if (type === null) return { cache_miss_reason: { type: "unavailable" } };
      return { cache_miss_reason: { type, cache_missed_input_tokens: Math.max(0, before.total - readTokens) } };
    },
  };
}

function changeSince(before: Earlier, model: string, positions: Positions): string | null {
  if (before.model !== model) return "model_changed";
  if (before.toolsKey !== positions.toolsKey) return "tools_changed";
  if (before.systemKey !== positions.systemKey) return "system_changed";
  for (let link: Link | null = positions.last; link !== null; link = link.prev)
    if (link.keys.includes(before.lastKey)) return null;
  return "messages_changed";
}
