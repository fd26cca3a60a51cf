import { expect, test } from "vitest";
import { createRng } from "../determinism/index.ts";
import type { ToolFault } from "./tool-faults.ts";
import { createToolFaults, toolFaultKinds } from "./tool-faults.ts";

const fine = { content: "ok", isError: false, latencyMs: 5 };
const strike = (faults: ToolFault[], names: string[]): (string | null)[] => {
  const apply = createToolFaults(faults, createRng(1));
  return names.map((name, i) => apply({ id: `toolu_${i}`, name }, fine).fault?.id ?? null);
};

test("F1: the nth call of a tool is counted among that tool's calls only", () => {
  const fault: ToolFault = { id: "f", kind: "tool-error", match: { tool: "Bash", nth: 2 } };
  expect(strike([fault], ["Bash", "Read", "Read", "Bash", "Bash"])).toEqual([null, null, null, "f", null]);
});

test("F1: `times` bounds a fault with a probability", () => {
  const fault: ToolFault = { id: "f", kind: "tool-empty", match: { probability: 1 }, times: 2 };
  expect(strike([fault], ["Bash", "Bash", "Bash"])).toEqual(["f", "f", null]);
});

test("D3: adding a fault does not move another's draws", () => {
  const a: ToolFault = { id: "a", kind: "tool-error", match: { tool: "Bash", probability: 0.3 } };
  const b: ToolFault = { id: "b", kind: "tool-empty", match: { tool: "Read", probability: 0.5 } };
  const names = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? "Bash" : "Read"));
  const alone = strike([a], names);
  expect(strike([b, a], names).map((id) => (id === "a" ? id : null))).toEqual(alone);
  expect(alone).toContain("a");
});

test("each kind changes the answer in its own way, the same for the same seed", () => {
  for (const kind of toolFaultKinds) {
    const once = createToolFaults([{ id: kind, kind, match: {} }], createRng(3))(
      { id: "t", name: "Bash" },
      fine,
    ).answer;
    const again = createToolFaults([{ id: kind, kind, match: {} }], createRng(3))(
      { id: "t", name: "Bash" },
      fine,
    ).answer;
    expect(again).toEqual(once);
    expect(once).not.toEqual(fine);
  }
});

test("an oversized result has the size that was asked for", () => {
  const apply = createToolFaults([{ id: "big", kind: "tool-oversized", match: {}, chars: 12_345 }], createRng(1));
  expect(apply({ id: "t", name: "Read" }, fine).answer.content).toHaveLength(12_345);
});
