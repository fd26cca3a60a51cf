/** What the environment says about compaction, read once (AC4). Null: not said, or not usable. */
export interface EnvironmentSettings {
  readonly contextWindow: Reading<number> | null;
  readonly autoCompactPercent: Reading<number> | null;
  readonly blockingLimit: Reading<number> | null;
  readonly disableCompact: boolean;
  readonly disableAutoCompact: boolean;
  /** DISABLE beats ENABLE. */
  readonly sessionMemory: "enable" | "disable" | null;
}

/** A usable value, the variable that gave it, and how it was written. */
export interface Reading<T> {
  readonly variable: string;
  readonly written: string;
  readonly value: T;
}

/** A setting that was ignored, and why. */
export interface ConfigNotice {
  readonly variable: string;
  readonly value: string;
  readonly text: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads every variable that compaction knows. Never throws: what cannot be used is ignored with a notice. Our own name beats its alias. */
export function readEnvironment(env: Environment): { settings: EnvironmentSettings; notices: readonly ConfigNotice[] } {
  const notices: ConfigNotice[] = [];
  const read = <T>(names: readonly string[], parse: (text: string) => T | string): Reading<T> | null => {
    for (const variable of names) {
      const written = env[variable];
      if (written === undefined) continue;
      const value = parse(written.trim());
      if (typeof value !== "string") return { variable, written, value };
      notices.push(ignored(variable, written, value));
    }
    return null;
  };
  const isOn = (variable: string): boolean => read([variable], parseSwitch)?.value ?? false;
  const enableMemory = isOn("ENABLE_CLAUDE_CODE_SM_COMPACT");
  const disableMemory = isOn("DISABLE_CLAUDE_CODE_SM_COMPACT");
  const settings: EnvironmentSettings = {
    contextWindow: read(["LONGHAUL_CONTEXT_WINDOW", "CLAUDE_CODE_AUTO_COMPACT_WINDOW"], parseTokens),
    autoCompactPercent: read(["LONGHAUL_AUTOCOMPACT_PCT", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"], parsePercent),
    blockingLimit: read(["LONGHAUL_BLOCKING_LIMIT"], parseTokens),
    disableCompact: isOn("DISABLE_COMPACT"),
    disableAutoCompact: isOn("DISABLE_AUTO_COMPACT"),
    sessionMemory: disableMemory ? "disable" : enableMemory ? "enable" : null,
  };
  return { settings, notices };
}

export function ignored(variable: string, value: string, why: string): ConfigNotice {
  return { variable, value, text: `${variable}=${JSON.stringify(value)} is ignored: ${why}.` };
}

/** The number, or the reason why it is none. */
function parseDecimal(text: string): number | string {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return "it is not a plain decimal number";
  const value = Number(text);
  return Number.isFinite(value) ? value : "it is too large";
}

function parseTokens(text: string): number | string {
  const value = parseDecimal(text);
  if (typeof value === "string") return value;
  return value >= 1 ? Math.floor(value) : "it must be at least 1 token";
}

function parsePercent(text: string): number | string {
  const value = parseDecimal(text);
  if (typeof value === "string") return value;
  return value > 0 && value <= 100 ? value : "it must be above 0 and at most 100";
}

function parseSwitch(text: string): boolean | string {
  const word = text.toLowerCase();
  if (["1", "true", "yes", "on"].includes(word)) return true;
  if (["0", "false", "no", "off", ""].includes(word)) return false;
  return "a switch is 1, true, yes or on; 0, false, no, off or empty";
}
