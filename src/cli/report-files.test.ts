import { expect, test } from "vitest";
import { fileName, reportFiles } from "./report-files.ts";

test("names of runs are safe for every file system, and a run keeps its own", () => {
  expect(fileName({ scenario: "prompt-too-long", seed: 7 })).toBe("prompt-too-long-7");
  expect(fileName({ scenario: "thrash[enabled=true,config=#1]", seed: 7 })).toBe("thrash-enabled-true-config-1-7");
  expect(fileName({ scenario: "../../etc/passwd", seed: 0 })).toBe("etc-passwd-0");
});

test("a run's page lies beside the suite's, its record apart", () => {
  const files = reportFiles("reports");
  const run = { scenario: "idle-gap", seed: 3 };
  expect(files.page(run)).toBe("reports/idle-gap-3.html");
  expect(files.href(run)).toBe("idle-gap-3.html");
  expect(files.record(run)).toBe("reports/records/idle-gap-3.ndjson");
});
