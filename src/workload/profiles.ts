import type { Language } from "./text-pools.ts";
import type { ProfileName } from "./workload.ts";

/** How a kind of session differs from the calibrated average (P). Factors of 1, shares of 0: the average itself. */
export interface SessionProfile {
  readonly about: string;
  /** Factors on the measured share of each tool; `mcp` is the tools of MCP servers together. */
  readonly tools: Readonly<Record<string, number>>;
  /** Factors on result sizes, by tool. */
  readonly results: Readonly<Record<string, number>>;
  /** What files are written in, by weight. */
  readonly languages: readonly (readonly [Language, number])[];
  /** `chat`: turns as measured, times `rounds`. `autonomous`: turns of so many rounds, which give a list of goals of so many rounds each. */
  readonly shape:
    | { readonly kind: "chat"; readonly rounds: number }
    | {
        readonly kind: "autonomous";
        readonly turn: readonly [number, number];
        readonly goal: readonly [number, number];
      };
  /** Factor on the share of answers with several tool calls. */
  readonly parallel: number;
  /** Chance of a pasted image in a message of the user, and in the result of an MCP tool. */
  readonly images: number;
  readonly toolImages: number;
  /** Chance of a message with a long pasted text, beyond the measured sizes. */
  readonly pastes: number;
  /** Factor on idle gaps; chance that a gap is a night of 8 to 14 hours; the first gap of all is one of more than an hour. */
  readonly idle: number;
  readonly nights: number;
  readonly firstGapOverHour: boolean;
  /** Chance, for each message, that the user breaks the turn off; that /compact is run before it. */
  readonly aborts: number;
  readonly manualCompacts: number;
  /** Rounds between results of some 900 000 characters; 0: none. */
  readonly hugeEvery: number;
  /** The window shrinks from 1M to 200K in the middle. */
  readonly switchesWindow: boolean;
  /** Turns between two restarts; 0: none. */
  readonly resumesEvery: number;
}

const average: SessionProfile = {
  about: "",
  // A little more of what the special profiles have less of, so that the mix as a whole is as measured (corpus.ts).
  tools: { Write: 1.1, Edit: 1.03, Glob: 0.9 },
  results: {},
  languages: [
    ["typescript", 6],
    ["python", 2],
    ["json", 1],
    ["prose", 1],
  ],
  shape: { kind: "chat", rounds: 1 },
  parallel: 1,
  images: 0.01,
  toolImages: 0,
  pastes: 0,
  idle: 1,
  nights: 0,
  firstGapOverHour: false,
  aborts: 0.02,
  manualCompacts: 0.004,
  hugeEvery: 0,
  switchesWindow: false,
  resumesEvery: 0,
};

export const profiles: Readonly<Record<ProfileName, SessionProfile>> = {
  bugfix: { ...average, about: "The calibrated average: read, edit, test, with a person looking on." },
  refactor: {
    ...average,
    about: "More edits, and the same files again and again.",
    tools: { Edit: 1.4, Grep: 1.2, WebFetch: 0.3 },
  },
  exploration: {
    ...average,
    about: "Many reads and searches, few edits.",
    tools: { Read: 1.8, Grep: 2, Glob: 2, Edit: 0.2, Write: 0.6 },
  },
  "long-autonomous": {
    ...average,
    about: "Hundreds of rounds without a word from the user, over a list of goals.",
    shape: { kind: "autonomous", turn: [150, 600], goal: [20, 60] },
    aborts: 0,
    manualCompacts: 0,
  },
  "test-loop": {
    ...average,
    about: "Edit, run, read a long log, again.",
    tools: { Bash: 1.8, Read: 0.6 },
    results: { Bash: 2.5 },
  },
  research: {
    ...average,
    about: "Web pages and searches.",
    tools: { WebFetch: 40, WebSearch: 60, Bash: 0.3, Edit: 0.3, Write: 2 },
  },
  "mcp-heavy": {
    ...average,
    about: "Half of the calls go to MCP servers, whose results microcompact never clears.",
    tools: { mcp: 80 },
  },
  "image-heavy": {
    ...average,
    about: "Screenshots pasted by the user and returned by tools.",
    tools: { mcp: 12 },
    images: 0.5,
    toolImages: 0.7,
  },
  "polyglot-cjk": {
    ...average,
    about: "Files and pastes in Chinese, Japanese, minified code and base64, which estimators take for something else.",
    languages: [
      ["cjk", 4],
      ["minified", 1.5],
      ["base64", 1],
      ["typescript", 2],
      ["json", 1],
    ],
  },
  "idle-overnight": {
    ...average,
    about: "Left alone for an hour, and over nights.",
    firstGapOverHour: true,
    nights: 0.15,
    idle: 2,
  },
  "parallel-tools": { ...average, about: "Several calls in most answers.", parallel: 6 },
  "one-huge-result": { ...average, about: "Now and then one result of 900 000 characters.", hugeEvery: 120 },
  "model-switch": {
    ...average,
    about: "Starts on a window of 1M and goes on with 200K.",
    switchesWindow: true,
    shape: { kind: "chat", rounds: 2 },
  },
  resumed: { ...average, about: "Ended and loaded again from its file several times.", resumesEvery: 4 },
};
