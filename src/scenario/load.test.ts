import { expect, test } from "vitest";
import { defineScenario, parseScenarios, ScenarioError } from "./load.ts";

const whole = `why: A scenario that shows every key in its place.
session:
  profile: bugfix
  rounds: 150
faults:
  - id: burst
    kind: overloaded
    match:
      nth: 3
expect:
  - ends == completed
`;

const messageOf = (text: string): string => {
  try {
    parseScenarios("scenarios/x.yaml", text);
  } catch (error) {
    expect(error).toBeInstanceOf(ScenarioError);
    return (error as Error).message;
  }
  throw new Error("was accepted");
};

test("Y1: YAML, JSON and an object give the same scenario, defaults filled in", () => {
  const [fromYaml] = parseScenarios("scenarios/x.yaml", whole);
  const json = {
    why: "A scenario that shows every key in its place.",
    session: { profile: "bugfix", rounds: 150 },
    faults: [{ id: "burst", kind: "overloaded", match: { nth: 3 } }],
    expect: ["ends == completed"],
  } as const;
  const [fromJson] = parseScenarios("scenarios/x.yaml", JSON.stringify(json));
  expect(fromJson).toEqual(fromYaml);
  expect(defineScenario("scenarios/x.yaml", json as never)).toEqual([fromYaml]);
  expect(fromYaml).toMatchObject({ name: "x", seeds: [1], strategy: { name: "four-layer" }, breaks: [] });
});

test.each([
  [
    "a misspelt key",
    whole.replace("  rounds", "  ronds"),
    'scenarios/x.yaml:4: unknown key "session.ronds"; did you mean "rounds"?',
  ],
  [
    "a misspelt key at the top",
    whole.replace("session:", "sesion:"),
    'x.yaml:2: unknown key "sesion"; did you mean "session"?',
  ],
  [
    "a key of the wrong fault",
    whole.replace("nth: 3", "nht: 3"),
    'x.yaml:9: unknown key "faults[1].match.nht"; did you mean "nth"?',
  ],
  [
    "a misspelt word",
    whole.replace("bugfix", "bugfx"),
    'x.yaml:3: "session.profile" is "bugfx"; did you mean "bugfix"? (expected one of bugfix, refactor',
  ],
  [
    "a misspelt fault",
    whole.replace("overloaded", "overload"),
    'x.yaml:7: "faults[1].kind" is "overload"; did you mean "overloaded"?',
  ],
  ["a bad number", whole.replace("150", "-3"), 'x.yaml:4: "session.rounds" is -3 (expected 1 or more)'],
  [
    "a number that is none",
    whole.replace("150", "many"),
    'x.yaml:4: "session.rounds" is "many" (expected a whole number)',
  ],
  [
    "a missing key",
    whole.replace("  profile: bugfix\n", ""),
    'x.yaml:2: "session.profile" is missing (expected one of bugfix',
  ],
  [
    "an unknown event",
    whole.replace("ends == completed", "event(microcompct) at_least 1"),
    'x.yaml:11: "event(microcompct) at_least 1": there is no event "microcompct"; did you mean "microcompact"?',
  ],
  [
    "an unknown metric",
    whole.replace("ends == completed", "dolars < 1"),
    'x.yaml:11: "dolars < 1": there is no metric "dolars"; did you mean "dollars"?',
  ],
  [
    "an unknown label",
    whole.replace("ends == completed", "compactions{layr:full} == 1"),
    'there is no label of compactions "layr"; did you mean "layer"?',
  ],
  [
    "an unknown word of a label",
    whole.replace("ends == completed", "event(microcompact{path:tme}) at_least 1"),
    'there is no path of microcompact "tme"; did you mean "time"?',
  ],
  [
    "an unknown word of a metric's label",
    whole.replace("ends == completed", "compactions{layer:ful} == 0"),
    'there is no layer of compactions "ful"; did you mean "full"?',
  ],
  [
    "an expectation that cannot be read",
    whole.replace("ends == completed", "dollars < cheap"),
    'x.yaml:11: "dollars < cheap": "cheap" is not a number',
  ],
  [
    "an unknown model",
    `${whole}model: {id: claude-sonet-4-5}\n`,
    'x.yaml:12: there is no model "claude-sonet-4-5"; did you mean "claude-sonnet-4-5"?',
  ],
  ["bad seeds", `${whole}seeds: 5-1\n`, 'x.yaml:12: seeds: "5-1": the range 5-1 is empty'],
  ["broken YAML", whole.replace("bugfix", "{bugfix"), "x.yaml:4: not YAML: "],
  ["a key twice", `${whole}why: another reason\n`, "x.yaml:12: not YAML: Map keys must be unique"],
  ["an empty file", "", "x.yaml: the file is empty (expected a map with"],
  ["a list", "- a\n", "x.yaml: the file is a list (expected a map with"],
  [
    "two faults of one id",
    whole.replace("expect:", "toolFaults:\n  - {id: burst, kind: tool-error}\nexpect:"),
    'x.yaml:11: there are two faults "burst"',
  ],
])("Y7: %s is told in one line that names file, line and what is allowed", (_, text, message) => {
  expect(messageOf(text)).toContain(message);
  expect(messageOf(text)).not.toContain("\n");
});

test("Y1: a matrix multiplies, and each combination has a name of its own", () => {
  const scenarios = parseScenarios(
    "m.yaml",
    `${whole}matrix:\n  session.profile: [bugfix, refactor]\n  strategy.config: [{}, {auto: {mode: reactive-only}}]\nseeds: 1-3\n`,
  );
  expect(scenarios.map(({ name }) => name)).toEqual([
    "m[profile=bugfix,config=#1]",
    "m[profile=bugfix,config=#2]",
    "m[profile=refactor,config=#1]",
    "m[profile=refactor,config=#2]",
  ]);
  expect(scenarios[3]).toMatchObject({
    session: { profile: "refactor", rounds: 150 },
    strategy: { name: "four-layer", config: { auto: { mode: "reactive-only" } } },
    seeds: [1, 2, 3],
  });
});

test("Y1: a value of a matrix is checked like any other", () => {
  expect(messageOf(`${whole}matrix:\n  session.profile: [bugfx]\n`)).toContain('is "bugfx"; did you mean "bugfix"?');
  expect(messageOf(`${whole}matrix:\n  session.profil: [bugfix]\n`)).toContain('unknown key "session.profil"');
});
