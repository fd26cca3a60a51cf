import type { CompactionConfig } from "./config.ts";
import { defaultConfig } from "./config.ts";

/** A config as a caller writes it: what is left out keeps its default. Objects with a `kind` are given whole. */
export type ConfigInput = DeepPartial<CompactionConfig>;

export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends { readonly kind: string }
    ? T
    : T extends object
      ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
      : T;

/** A mistake in the config, refused at start-up (AC4): the message says what is wrong, where, and what is allowed. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  /** Dotted, as in `limits.autoCompactPercent`. */
  readonly path: string;
  readonly value: unknown;
  readonly allowed: string;

  constructor(path: string, value: unknown, allowed: string) {
    super(`Compaction config: ${path} is ${show(value)}; allowed is ${allowed}.`);
    this.path = path;
    this.value = value;
    this.allowed = allowed;
  }
}

/** The default with the input laid over it. Throws `ConfigError` on a key that does not exist or a value out of range. */
export function checkConfig(input: ConfigInput): CompactionConfig {
  return lay("", defaultConfig, input, shape) as CompactionConfig;
}

interface Check {
  readonly allowed: string;
  readonly holds: (value: unknown) => boolean;
}
type Shape<T> = { readonly [K in keyof T]: Part<NonNullable<T[K]>> };
type Part<V> = V extends readonly unknown[] | { readonly kind: string } ? Check : V extends object ? Shape<V> : Check;
type AnyShape = { readonly [key: string]: Check | AnyShape };

const between = (low: number, high: number, what: string): Check => ({
  allowed: what,
  holds: (value) => Number.isFinite(value) && (value as number) >= low && (value as number) <= high,
});
const whole = (low: number): Check => ({
  allowed: `a whole number from ${low} up`,
  holds: (value) => Number.isSafeInteger(value) && (value as number) >= low,
});
const flag: Check = { allowed: "true or false", holds: (value) => typeof value === "boolean" };
const text: Check = {
  allowed: "a text that is not empty",
  holds: (value) => typeof value === "string" && value !== "",
};
const texts: Check = {
  allowed: "a list of texts",
  holds: (value) => Array.isArray(value) && value.every((each) => typeof each === "string"),
};
const oneOf = (...names: readonly string[]): Check => ({
  allowed: names.map((name) => JSON.stringify(name)).join(" or "),
  holds: (value) => names.includes(value as string),
});
const orNull = (check: Check): Check => ({
  allowed: `${check.allowed}, or null`,
  holds: (value) => value === null || check.holds(value),
});
const percent = between(Number.MIN_VALUE, 100, "a number above 0, at most 100");
const positive = whole(1);
const policy: Check = {
  allowed: '{ kind: "latched" } or { kind: "half-open", afterRounds: a whole number from 1 up }',
  holds: (value) => {
    if (typeof value !== "object" || value === null || !("kind" in value)) return false;
    if (value.kind === "latched") return true;
    return value.kind === "half-open" && "afterRounds" in value && positive.holds(value.afterRounds);
  },
};

const shape: Shape<CompactionConfig> = {
  limits: {
    contextWindowCap: orNull(whole(1)),
    summaryReserveTokens: whole(0),
    autoCompactBufferTokens: whole(0),
    warningBufferTokens: whole(0),
    errorBufferTokens: whole(0),
    blockingBufferTokens: whole(0),
    autoCompactPercent: orNull(percent),
    blockingLimitTokens: orNull(whole(1)),
  },
  micro: {
    compactableTools: texts,
    marker: text,
    timeBased: {
      enabled: flag,
      gapThresholdMinutes: between(0, Number.MAX_SAFE_INTEGER, "a number from 0 up"),
      keepRecent: whole(1),
    },
    cached: {
      enabled: flag,
      triggerThreshold: whole(1),
      keepRecent: whole(1),
      commit: oneOf("on-response", "on-send"),
    },
  },
  auto: {
    compactEnabled: flag,
    autoCompactEnabled: flag,
    mode: oneOf("proactive", "reactive-only", "collapse"),
    breaker: { maxFailures: whole(1), policy, countAborts: flag },
    thrashGuard: { compactions: whole(1), withinRounds: whole(1), minFreedPercent: percent },
  },
  full: {
    fork: { enabled: flag, preparation: oneOf("when-needed", "always") },
    direct: { enabled: flag, attempts: whole(1) },
    maxSummaryTokens: whole(1),
    tooLong: { maxRetries: whole(0), dropPercent: percent, scaleRetry: flag, keepAnchors: flag },
    hookTimeoutMs: whole(1),
    keepNewestUserMessage: flag,
    newestUserMessageMaxTokens: whole(1),
    files: { max: whole(0), tokensEach: whole(1), tokensTotal: whole(0) },
    skills: { tokensEach: whole(1), tokensTotal: whole(0) },
    memoryFileNames: texts,
  },
  sessionMemory: {
    enabled: flag,
    keep: { minTokens: whole(0), minTextBlockMessages: whole(0), maxTokens: whole(1) },
    extraction: {
      firstAtTokens: whole(0),
      everyTokens: whole(1),
      toolCallsBetween: whole(0),
      maxOutputTokens: whole(1),
    },
    waitMs: whole(0),
    staleMs: whole(0),
    sectionTokens: whole(1),
    totalTokens: whole(1),
    resumedWithoutId: oneOf("fall-back", "last-message"),
  },
};

/** Parts that may be switched off as a whole. */
const nullable: readonly string[] = ["auto.thrashGuard"];

function lay(path: string, base: unknown, over: unknown, shape: Check | AnyShape): unknown {
  if (over === undefined) return base;
  if (isCheck(shape)) {
    if (!shape.holds(over)) throw new ConfigError(path, over, shape.allowed);
    return over;
  }
  if (over === null && nullable.includes(path)) return null;
  if (typeof over !== "object" || over === null || Array.isArray(over)) {
    throw new ConfigError(path === "" ? "(whole)" : path, over, `an object with ${Object.keys(shape).join(", ")}`);
  }
  for (const key of Object.keys(over)) {
    if (!Object.hasOwn(shape, key)) {
      throw new ConfigError(
        join(path, key),
        Reflect.get(over, key),
        `no key of that name, but ${Object.keys(shape).join(", ")}`,
      );
    }
  }
  return Object.fromEntries(
    Object.entries(shape).map(([key, part]) => [
      key,
      lay(join(path, key), Reflect.get(Object(base), key), Reflect.get(over, key), part),
    ]),
  );
}

function isCheck(shape: Check | AnyShape): shape is Check {
  return typeof shape.holds === "function";
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

function show(value: unknown): string {
  return typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
}
