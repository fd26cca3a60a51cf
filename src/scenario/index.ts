export { type Difference, firstDifference } from "./compare-records.ts";
export { notDeterministic } from "./determinism-verdict.ts";
export { eventLine, placeText } from "./event-line.ts";
export { exitCode, exitCodes } from "./exit-code.ts";
export { type Expectation, ExpectationError, parseExpectation } from "./expectation.ts";
export { githubAnnotations, githubSummary } from "./github-summary.ts";
export { scenarioJsonSchema } from "./json-schema.ts";
export { type Failure, judge, type Verdict } from "./judge.ts";
export { junitXml } from "./junit.ts";
export { defineScenario, parseScenarios, type Scenario, ScenarioError } from "./load.ts";
export { nearest } from "./nearest.ts";
export { replayCommand } from "./replay-command.ts";
export type { ScenarioFile, ScenarioInput } from "./scenario-file.ts";
export { parseSeed, parseSeeds, SeedError } from "./seeds.ts";
export {
  type Job,
  jobName,
  jobsOf,
  type RareBranch,
  type RunResult,
  runSuite,
  type SuiteOptions,
  type SuiteResult,
} from "./suite.ts";
export { type RunSummary, summarise } from "./summarise.ts";
export { type Play, plannedRounds, toPlay } from "./to-play.ts";
