/**
 * Who may import what: the table of the rooms of src/, as data. The rules below are generated from it.
 * Run by `npm run check:imports`, which also fails when a file was not read.
 */
const rooms = {
  transcript: { rooms: [] },
  tokens: { rooms: ["transcript"] },
  compaction: { rooms: ["transcript", "tokens"] },
  agent: {
    rooms: ["transcript", "tokens", "compaction"],
    packages: ["@anthropic-ai/sdk", "@opentelemetry/api"],
  },
  determinism: { rooms: [], packages: ["seedrandom"] },
  "mock-api": {
    rooms: ["transcript", "tokens", "determinism"],
    packages: ["msw"],
    builtins: ["http", "net", "stream", "events"],
  },
  workload: { rooms: ["transcript", "determinism"] },
  replay: { rooms: ["transcript", "tokens"], builtins: ["stream", "readline", "string_decoder"] },
  simulate: {
    rooms: ["transcript", "tokens", "compaction", "agent", "determinism", "mock-api", "workload", "replay"],
  },
  scenario: {
    rooms: ["transcript", "tokens", "compaction", "agent", "determinism", "mock-api", "workload", "simulate"],
    packages: ["valibot", "yaml"],
  },
  report: {
    rooms: [],
    typesOnlyFrom: ["simulate"],
    packages: ["vega", "vega-lite", "vega-embed", "vega-interpreter"],
    builtins: ["fs", "path", "url", "module"],
  },
  cli: {
    rooms: [
      "transcript",
      "tokens",
      "compaction",
      "agent",
      "determinism",
      "mock-api",
      "workload",
      "replay",
      "simulate",
      "scenario",
      "report",
      "testing",
    ],
    packages: ["commander", "picocolors"],
    builtins: "any",
    files: ["^package\\.json$"],
  },
  testing: {
    rooms: ["transcript", "tokens", "compaction", "agent", "determinism", "mock-api", "workload", "replay"],
    packages: ["fast-check"],
  },
};

/** The package's front door, src/index.ts. */
const frontDoor = { rooms: ["transcript", "tokens", "compaction", "agent", "determinism"] };

/** What a test may import beyond what its room may: the shared builders, the tools of testing, and Node. */
const tests = {
  rooms: ["testing"],
  packages: ["vitest", "fast-check", "simple-statistics", "@anthropic-ai/sdk"],
  browserPackages: ["playwright-core", "axe-core"],
};

const TEST = "\\.test\\.ts$";
const BROWSER_TEST = "\\.browser\\.test\\.ts$";
const ANY_BUILTIN = "^node:|^[a-z_0-9/]+$";

const quote = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
const inside = (room) => `^src/${quote(room)}/`;
const doorOf = (room) => `^src/${quote(room)}/index\\.ts$`;
const packagePath = (name) => `node_modules/(@types/)?${quote(name)}/`;
const builtinPath = (name) => `^(node:)?${quote(name)}($|/)`;

const reach = ({ rooms: doors = [], typesOnlyFrom = [], packages = [], builtins = [], files = [] }) => [
  ...doors.map(doorOf),
  ...typesOnlyFrom.map(doorOf),
  ...packages.map(packagePath),
  ...(builtins === "any" ? [ANY_BUILTIN] : builtins.map(builtinPath)),
  ...files,
];

const sentence = ({ rooms: doors = [], typesOnlyFrom = [], packages = [], builtins = [] }) =>
  [
    ...doors,
    ...typesOnlyFrom.map((room) => `${room} (types only)`),
    ...packages,
    ...(builtins.length ? ["node:"] : []),
  ].join(", ") || "nothing";

const ruleFor = ([room, entry]) => ({
  name: `${room}-imports`,
  comment: `${room}/ may import, by their index.ts: ${sentence(entry)}.`,
  severity: "error",
  from: { path: inside(room), pathNot: TEST },
  to: { pathNot: [inside(room), ...reach(entry)] },
});

const testRuleFor = ([room, entry]) => ({
  name: `${room}-tests-import`,
  comment: `A test in ${room}/ may import its own room, what that room may, testing/, ${tests.packages.join(", ")} and node:.`,
  severity: "error",
  from: { path: `${inside(room)}.*${TEST}`, pathNot: BROWSER_TEST },
  to: { pathNot: [inside(room), ...reach({ ...entry, builtins: "any" }), ...reach(tests)] },
});

const browserTestRuleFor = ([room, entry]) => ({
  ...testRuleFor([room, entry]),
  name: `${room}-browser-tests-import`,
  from: { path: `${inside(room)}.*${BROWSER_TEST}` },
  to: {
    pathNot: [
      inside(room),
      ...reach({ ...entry, builtins: "any" }),
      ...reach(tests),
      ...tests.browserPackages.map(packagePath),
    ],
  },
});

const typesOnlyRuleFor = ([room, entry]) => ({
  name: `${room}-types-only`,
  comment: `${room}/ may take types, and nothing else, from ${entry.typesOnlyFrom.join(", ")} (use import type).`,
  severity: "error",
  from: { path: inside(room), pathNot: TEST },
  to: { path: entry.typesOnlyFrom.map(inside), dependencyTypesNot: ["type-only"] },
});

const entries = Object.entries(rooms);

module.exports = {
  forbidden: [
    ...entries.map(ruleFor),
    ...entries.map(testRuleFor),
    ...entries.map(browserTestRuleFor),
    ...entries.filter(([, entry]) => entry.typesOnlyFrom).map(typesOnlyRuleFor),
    {
      name: "front-door-imports",
      comment: `src/index.ts may import: ${sentence(frontDoor)}.`,
      severity: "error",
      from: { path: "^src/[^/]+\\.ts$" },
      to: { pathNot: reach(frontDoor) },
    },
    {
      name: "no-room-outside-the-table",
      comment: "A folder of src/ that the table does not name has no rules: add it to the table first.",
      severity: "error",
      from: { path: "^src/[^/]+/", pathNot: Object.keys(rooms).map(inside) },
      to: {},
    },
    {
      name: "no-cycles",
      comment: "A cycle has no reading order: move what both sides need to a file that neither is.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "nobody-imports-a-test",
      comment: "What tests share lives in testing/.",
      severity: "error",
      from: {},
      to: { path: TEST },
    },
    {
      name: "resolvable",
      comment: "This import points at nothing.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "declared",
      comment: "A package that package.json does not name is there by accident.",
      severity: "error",
      from: {},
      to: { path: "node_modules/", dependencyTypesNot: ["npm", "npm-dev", "npm-peer", "npm-optional"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // The command starts either the build or, by a development tool, the source: neither is an import of the program.
    exclude: { path: "^src/cli/bin\\.mjs$" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".mjs", ".js", ".cjs", ".json", ".d.ts"],
    },
  },
};
