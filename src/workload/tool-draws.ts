import type { Rng } from "../determinism/index.ts";
import { likeTheFirst, otherParallelShare, sizesLike, taskShareOfAgents } from "./assumptions.ts";
import { calibration } from "./calibration.ts";
import type { SessionProfile } from "./profiles.ts";
import type { Quantiles } from "./quantiles.ts";
import { valueAt } from "./quantiles.ts";

/** The tools of the world, with the measured tools that each stands for: the newer task tools do what TodoWrite does. */
const standsFor: Readonly<Record<string, readonly string[]>> = {
  Bash: ["Bash", "PowerShell"],
  Read: ["Read"],
  Edit: ["Edit"],
  Grep: ["Grep"],
  Write: ["Write"],
  Glob: ["Glob"],
  Agent: ["Agent", "Task"],
  TodoWrite: ["TodoWrite", "TaskUpdate", "TaskCreate", "TaskList"],
  WebFetch: ["WebFetch"],
  WebSearch: ["WebSearch"],
};

export const mcpTools = [
  "mcp__tracker__search_issues",
  "mcp__tracker__get_issue",
  "mcp__database__query",
  "mcp__database__describe_table",
  "mcp__browser__snapshot",
  "mcp__browser__console",
  "mcp__wiki__read_page",
  "mcp__deploy__list_releases",
] as const;

const baseOf = (tool: string): string => (tool.startsWith("mcp__") ? "mcp" : tool);

/** The tools called side by side in one answer, drawn as measured: how many, and which. */
export function drawBatch(profile: SessionProfile, rng: Rng): readonly string[] {
  const weights = Object.entries(standsFor).map(([tool, measured]) => {
    const share = measured.reduce((sum, name) => sum + (calibration.toolMix[name]?.share ?? 0), 0);
    return [tool, share * (profile.tools[tool] ?? 1)] as const;
  });
  const all = [...weights, ["mcp", calibration.mcpShare * (profile.tools.mcp ?? 1)] as const];
  const sizes = Object.entries(calibration.toolCallsPerMessage.hist)
    .filter(([calls]) => calls !== "0")
    .map(([calls, n]) => [Number(calls), calls === "1" ? n : n * profile.parallel] as const);
  const size = rng.weighted(sizes);
  const parallel = (tool: string): number => calibration.parallelShareByTool[tool] ?? otherParallelShare;
  if (size === 1) return [named(rng.weighted(all.map(([tool, weight]) => [tool, weight * (1 - parallel(tool))])), rng)];
  const together = all.map(([tool, weight]) => [tool, weight * parallel(tool)] as const);
  const first = rng.weighted(together);
  return Array.from({ length: size }, (_, i) =>
    named(i === 0 || rng.chance(likeTheFirst) ? first : rng.weighted(together), rng),
  );
}

const named = (tool: string, rng: Rng): string => (tool === "mcp" ? rng.pick(mcpTools) : tool);

export function drawResultChars(tool: string, profile: SessionProfile, rng: Rng): number {
  return Math.round(
    draw(calibration.toolResultChars, tool, sizesLike.results, rng) * (profile.results[baseOf(tool)] ?? 1),
  );
}

export function drawInputChars(tool: string, rng: Rng): number {
  return Math.round(draw(calibration.toolInputChars, tool, sizesLike.inputs, rng));
}

export function errorRateOf(tool: string): number {
  return calibration.toolErrorRate[tool]?.rate ?? calibration.toolErrorRate[sizesLike.errors]?.rate ?? 0;
}

/** Milliseconds, at most `cap` times the measured p99. */
export function drawLatencyMs(tool: string, cap: number, rng: Rng): number {
  const quantiles = calibration.toolLatencySeconds[tool] ?? calibration.toolLatencySeconds[sizesLike.latency];
  if (quantiles === undefined) return 0;
  return Math.max(1, Math.round(Math.min(valueAt(quantiles, rng.next()), quantiles.p99 * cap) * 1000));
}

function draw(table: Readonly<Record<string, Quantiles>>, tool: string, otherwise: string, rng: Rng): number {
  // Agent and its older name Task were measured apart, in nearly equal numbers.
  const name = tool === "Agent" && rng.chance(taskShareOfAgents) ? "Task" : tool;
  const quantiles = table[name] ?? table[otherwise];
  return quantiles === undefined ? 0 : valueAt(quantiles, rng.next());
}
