import type { ConfigInput } from "./check-config.ts";
import { ConfigError, checkConfig } from "./check-config.ts";
import type { CompactionConfig } from "./config.ts";
import type { ConfigNotice, Environment, EnvironmentSettings } from "./environment.ts";
import { ignored, readEnvironment } from "./environment.ts";
import type { WindowLimits } from "./thresholds.ts";
import { autoCompactThreshold } from "./thresholds.ts";

/** Which window the lines are checked against where the caller names no model. Source: AC2's example. */
const usualLimits: WindowLimits = { contextWindow: 200_000, maxOutput: 32_000 };

export interface ResolvedConfig {
  readonly config: CompactionConfig;
  /** One for each environment variable that was ignored. */
  readonly notices: readonly ConfigNotice[];
}

/**
 * The config that holds: defaults, then the caller's, then the environment's, which is read here and nowhere else (AC4).
 * Throws `ConfigError` on a mistake in the caller's part; a mistake in the environment is a notice.
 * @param limits the window of the smallest model that will be used
 */
export function resolveConfig(
  input: ConfigInput = {},
  env: Environment = {},
  limits: WindowLimits = usualLimits,
): ResolvedConfig {
  const own = checkConfig(input);
  if (autoCompactThreshold(limits, own) <= 0) {
    throw new ConfigError(
      "limits",
      own.limits,
      "what leaves an auto-compact threshold above 0: the window less summaryReserveTokens and autoCompactBufferTokens, and autoCompactPercent of it",
    );
  }
  const { settings, notices } = readEnvironment(env);
  const refused: ConfigNotice[] = [];
  let config = withSwitches(own, settings);
  const lines = [
    ["contextWindowCap", settings.contextWindow],
    ["autoCompactPercent", settings.autoCompactPercent],
    ["blockingLimitTokens", settings.blockingLimit],
  ] as const;
  for (const [name, reading] of lines) {
    if (reading === null) continue;
    const value = name === "contextWindowCap" ? lower(config.limits[name], reading.value) : reading.value;
    const tried = { ...config, limits: { ...config.limits, [name]: value } };
    if (autoCompactThreshold(limits, tried) > 0) config = tried;
    else
      refused.push(
        ignored(reading.variable, reading.written, "it would leave no room below the auto-compact threshold"),
      );
  }
  return { config, notices: [...notices, ...refused] };
}

function lower(own: number | null, value: number): number {
  return own === null ? value : Math.min(own, value);
}

function withSwitches(config: CompactionConfig, settings: EnvironmentSettings): CompactionConfig {
  const { sessionMemory } = settings;
  return {
    ...config,
    auto: {
      ...config.auto,
      compactEnabled: config.auto.compactEnabled && !settings.disableCompact,
      autoCompactEnabled: config.auto.autoCompactEnabled && !settings.disableAutoCompact,
    },
    sessionMemory: {
      ...config.sessionMemory,
      enabled: sessionMemory === null ? config.sessionMemory.enabled : sessionMemory === "enable",
    },
  };
}
