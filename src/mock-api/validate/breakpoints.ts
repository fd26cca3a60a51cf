import type { ApiError } from "../api-error.ts";
import { invalid } from "../api-error.ts";
import type { BlockFacts, Ttl } from "../facts/block-facts.ts";
import type { Rule } from "./rule.ts";

const mostBreakpoints = 4;

/** V6: cache breakpoints. Their fields are checked with the form, which also refuses them on thinking. */
export const checkBreakpoints: Rule = ({ body, tools, system, messages, links, last: end }) => {
  let count = 0;
  let last: BlockFacts | undefined;
  let shortSeen = false;
  const check = (block: BlockFacts, where: () => string): ApiError | undefined => {
    last = block;
    if (block.ttl === null) return undefined;
    count++;
    if (block.type === "text" && block.wire.text === "")
      return invalid(`${where()}.text: cache_control cannot be set for empty text blocks`);
    if (block.ttl === "5m") shortSeen = true;
    else if (shortSeen) return longAfterShort(`${where()}.cache_control`);
    return undefined;
  };
  const each = (blocks: readonly BlockFacts[], path: string): ApiError | undefined => {
    for (const [i, block] of blocks.entries()) {
      const problem = check(block, () => `${path}.${i}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  let problem = each(tools, "tools") ?? each(system, "system");
  const holding: number[] = [];
  for (let link = end.lastBreak; link !== null && link.message !== null; link = link.prev?.lastBreak ?? null)
    holding.unshift(links.lastIndexOf(link));
  for (const m of holding) problem ??= each(messages[m]?.blocks ?? [], `messages.${m}.content`);
  last = messages.findLast((message) => message.blocks.length > 0)?.blocks.at(-1) ?? last;
  if (problem !== undefined) return problem;
  const whole = body.cache_control as { readonly ttl?: Ttl } | null | undefined;
  if (whole !== undefined && whole !== null) {
    const ttl = whole.ttl ?? "5m";
    if (last?.ttl !== undefined && last.ttl !== null && last.ttl !== ttl)
      return invalid(`cache_control: ttl '${ttl}' differs from the ttl '${last.ttl}' of the last block`);
    if (last?.ttl !== ttl) count++;
    if (ttl === "1h" && shortSeen) return longAfterShort("cache_control");
  }
  if (count > mostBreakpoints)
    return invalid(`A maximum of ${mostBreakpoints} blocks with cache_control may be provided. Found ${count}.`);
  return undefined;
};

function longAfterShort(path: string): ApiError {
  return invalid(
    `${path}.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`,
  );
}
