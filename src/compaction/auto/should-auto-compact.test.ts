import { expect, test } from "vitest";
import { defaultConfig } from "../config.ts";
import { shouldAutoCompact } from "./should-auto-compact.ts";

const config = defaultConfig.auto;
const full = () => 167_000;
const uncounted = () => {
  throw new Error("counted for nothing");
};

test("AC5: from the threshold on, yes; below it, no", () => {
  expect(shouldAutoCompact("main", config, 167_000, full)).toBe("compact");
  expect(shouldAutoCompact("main", config, 167_000, () => 166_999)).toBe("below");
});

test("AC5: an agent that compacts does not compact itself, and collapse keeps its log; nothing is counted for them", () => {
  for (const source of ["compact", "session_memory", "context_collapse"] as const) {
    expect(shouldAutoCompact(source, config, 0, uncounted)).toBe("source");
  }
});

test("AC5: a subagent is a conversation of its own", () => {
  expect(shouldAutoCompact("subagent", config, 167_000, full)).toBe("compact");
});

test("AC5: the order: source, then disabled, then reactive-only, then collapse, then the count", () => {
  const off = { ...config, autoCompactEnabled: false, mode: "reactive-only" } as const;
  expect(shouldAutoCompact("compact", off, 0, uncounted)).toBe("source");
  expect(shouldAutoCompact("main", off, 0, uncounted)).toBe("disabled");
  expect(shouldAutoCompact("main", { ...config, compactEnabled: false }, 0, uncounted)).toBe("disabled");
  expect(shouldAutoCompact("main", { ...config, mode: "reactive-only" }, 0, uncounted)).toBe("reactive-only");
  expect(shouldAutoCompact("main", { ...config, mode: "collapse" }, 0, uncounted)).toBe("collapse-mode");
});
