import type { FactKind } from "./trace.ts";
import type { NoteTakerProfileName, SummariserProfileName } from "./workload.ts";

/**
 * Every figure of the workload that nobody has measured, with the reason for it. What was measured stands in calibration.json.
 * Change a figure here, run the suite, and see what it does: nothing else in src/workload holds an assumed number of this kind.
 */

/**
 * How often a fact of a kind is born, per 100 tool steps; the user's kinds per message, or per goal where it says so.
 * Reason: they give 0.5 to 0.6 facts needed at a step, and 60 to 120 alive in a long session, which fit in 8 000 tokens (W2).
 */
export const birthsPer100Steps = {
  decision: 4,
  reason: 2.5,
  "rejected-approach": 2.5,
  "pending-task": 2,
  "error-fix": 4,
  "exact-value": 5,
  "tool-detail": 4,
} as const;

/** Facts in a message that gives a goal: chance of each kind. In a plain follow-up the chances are a fifth of it. */
export const birthsPerGoalMessage = {
  constraint: 0.6,
  preference: 0.35,
  "exact-value": 0.5,
  "pending-task": 0.25,
} as const;
export const followUpShare = 0.2;

/** Facts of each user kind at the start of a turn of hundreds of rounds, for each 100 of them: the brief of an autonomous run is long. */
export const birthsPer100AutonomousRounds = {
  constraint: 2,
  preference: 1,
  "exact-value": 2,
  "pending-task": 1,
} as const;

/**
 * When a fact is needed: `uses` times (mean, geometric), each `gap` steps after the one before (median, log-normal with `gapSigma`).
 * Reason: rules and wishes of the user hold for the whole session; decisions for the work that they were made for; details of tool output for the next few steps.
 */
export const usesByKind: Readonly<
  Record<Exclude<FactKind, "goal" | "current-step">, { readonly uses: number; readonly gap: number }>
> = {
  constraint: { uses: 4, gap: 40 },
  preference: { uses: 3, gap: 40 },
  "exact-value": { uses: 3, gap: 25 },
  "pending-task": { uses: 1, gap: 45 },
  decision: { uses: 2.5, gap: 30 },
  reason: { uses: 1.5, gap: 50 },
  "rejected-approach": { uses: 1.5, gap: 50 },
  "error-fix": { uses: 1.5, gap: 45 },
  "file-modified": { uses: 1.3, gap: 30 },
  "file-read": { uses: 1, gap: 20 },
  "tool-detail": { uses: 1.2, gap: 10 },
};
export const gapSigma = 0.8;

/** Alive at one time at most, in all and of one kind. W2 asks for 8 000 and 1 500 tokens; a sentence with its fact is about 25 tokens. */
export const mostAlive = 150;
export const mostAliveOfOneKind = 40;

/** Facts needed at one step at most: a person, too, checks only a few things at a time. */
export const mostNeedsOfOneStep = 3;

/** Chance that the user corrects an exact value in a follow-up message while it is still needed ("no, port 8081"). Reason: 1 prompt in 10 of a coding session is a correction. */
export const correctionChance = 0.12;

/**
 * The summariser: chance that a fact of a kind survives one pass, by profile (M4).
 * `typical`: first figures of the specification. Their order follows published observations: tracking of files and of exact details is the weakest,
 * goals the strongest. `forgetful`: the chance cubed; `verbose`: half the loss; `erratic`: `typical` on most passes, `forgetful` on a third of them.
 */
export const typicalSurvival: Readonly<Record<FactKind, number>> = {
  goal: 0.98,
  "current-step": 0.95,
  constraint: 0.9,
  "pending-task": 0.9,
  decision: 0.85,
  "file-modified": 0.8,
  "error-fix": 0.75,
  preference: 0.65,
  "file-read": 0.55,
  "exact-value": 0.6,
  reason: 0.45,
  "rejected-approach": 0.4,
  "tool-detail": 0.15,
};

export interface MemoryProfile {
  /** Chance to survive, from the typical one. */
  readonly survival: (typical: number) => number;
  /** Share of passes that go by `forgetful` instead. */
  readonly badPass: number;
  /** Chance that a number or path that survives is changed (M4: 1-3 %). */
  readonly blur: number;
  /** Chance, for each fact written, of one more that is not true (M4: 0.5 %). */
  readonly invention: number;
  /** Size in tokens: log-normal, median; 0: as large as its facts need. */
  readonly medianTokens: number;
  readonly sigma: number;
  /** Chance of a tool call instead of a text. 2.79 % was reported for models that think adaptively (compaction.md FC4). */
  readonly toolCall: number;
}

/** Reason for 5 000 and 0.33: 81 real summaries have a median of 12 030 characters and a log-sigma of 0.337 (calibration.json); at 2.65 characters a token of Markdown that is 4 540 tokens, rounded up by the specification. */
export const summariserProfiles: Readonly<Record<SummariserProfileName, MemoryProfile>> = {
  perfect: { survival: () => 1, badPass: 0, blur: 0, invention: 0, medianTokens: 0, sigma: 0, toolCall: 0 },
  typical: {
    survival: (p) => p,
    badPass: 0,
    blur: 0.02,
    invention: 0.005,
    medianTokens: 5000,
    sigma: 0.33,
    toolCall: 0.0279,
  },
  forgetful: {
    survival: (p) => p * p * p,
    badPass: 0,
    blur: 0.03,
    invention: 0.01,
    medianTokens: 2500,
    sigma: 0.33,
    toolCall: 0.0279,
  },
  verbose: {
    survival: (p) => (1 + p) / 2,
    badPass: 0,
    blur: 0.02,
    invention: 0.01,
    medianTokens: 11_000,
    sigma: 0.4,
    toolCall: 0.0279,
  },
  erratic: {
    survival: (p) => p,
    badPass: 0.33,
    blur: 0.06,
    invention: 0.02,
    medianTokens: 5000,
    sigma: 0.9,
    toolCall: 0.08,
  },
};

/** Notes are edited, not written anew: what already stands in them survives an update with this chance, whatever its kind (M5). */
export const survivalInNotes = 0.985;

export const noteTakerProfiles: Readonly<
  Record<NoteTakerProfileName, MemoryProfile & { readonly lagMessages: number; readonly writesNothing: boolean }>
> = {
  perfect: { ...summariserProfiles.perfect, lagMessages: 0, writesNothing: false },
  typical: { ...summariserProfiles.typical, medianTokens: 3500, toolCall: 0, lagMessages: 0, writesNothing: false },
  forgetful: { ...summariserProfiles.forgetful, medianTokens: 2000, toolCall: 0, lagMessages: 0, writesNothing: false },
  lagging: { ...summariserProfiles.typical, medianTokens: 3500, toolCall: 0, lagMessages: 24, writesNothing: false },
  "template-only": { ...summariserProfiles.perfect, lagMessages: 0, writesNothing: true },
};

/** Limits of notes (compaction.md SM1), kept by every profile but `perfect`. */
export const notesSectionTokens = 2000;
export const notesTokens = 12_000;

/** Characters a token, of Markdown on the newer tokenizers (calibration.json: charsPerToken), for sizes given in tokens. */
export const markdownCharsPerToken = 2.65;

/** Characters a token of prose and JSON schemas mixed: for the size of system prompt and tools. */
export const overheadCharsPerToken = 3.5;
/** Tokens. Real first requests have 27 000 to 45 000 (calibration.json: firstRoundContextTokens), the user's own files included, which are not modelled. */
export const overheadTokens = 20_000;

/** The analysis draft is half as long as the summary (M4). */
export const analysisShare = 0.5;

/** A superseded value is written down beside its correction that much less often than a valid one. Reason: summaries quote the conversation in order, and corrections look like chatter. */
export const supersededSurvival = 0.3;

/** A kind that the instructions of a compaction name survives with at least this chance. */
export const focusedSurvival = 0.97;

/** Tool failures in a row after which the model gives a step up. */
export const mostAttempts = 3;

/** Chance that thinking stands before an answer where the model may think: 11 110 non-empty blocks in 30 230 rounds (calibration.json). */
export const thinkingShare = 0.367;
/** Chance of a text beside tool calls: 14 740 texts in 30 230 rounds, less those that end a turn (calibration.json). */
export const textShareInLoop = 0.44;

/** Latency is drawn below this multiple of the measured p99: beyond it lie waits for a person's permission. */
export const latencyCap = 2;

/** How often a user repeats a request that was lost before giving up. */
export const mostRestatements = 60;

/** Shares of what a shell command does: tests first, as in any session about code. */
export const bashFlavours: readonly (readonly [string, number])[] = [
  ["test", 35],
  ["git", 15],
  ["build", 12],
  ["log", 20],
  ["script", 18],
];

/** Repeated reads are aimed at a little more often than measured, since some find no file in hand that is large enough and open a new one. */
export const rereadExcess = 1.08;

/** Share of new files that are larger than what is read of them. */
export const partlyRead = 0.35;

/** Characters of a huge result: the "results of 900K characters" of scenarios.md. */
export const hugeChars = 900_000;

/** Chance that a parallel call is of the same tool as the first: searches and reads come in bundles. */
export const likeTheFirst = 0.6;

/** Messages of the user on one goal, by weight. Reason: a session has 5.8 prompts on average (the brief's calibration) and two or three things that are asked for. */
export const turnsPerGoal: readonly (readonly [number, number])[] = [
  [1, 3],
  [2, 3],
  [3, 2],
  [6, 2],
];

/** Files that a person or an agent has in hand at one time. */
export const filesInHand = 28;

/** Messages that give a goal are never among the shortest share of prompts; follow-ups are there so much more often that all together are near the measured sizes. */
export const shortestPrompts = 0.4;
export const followUpsAmongShortest = 0.85;

/** Texts that end a turn come from the upper half of the measured sizes, those in the loop more often from the lower, so that all together are as measured. */
export const upperHalfInLoop = 0.39;

/** Characters. A fact of a sentence comes up only in output that is longer than it, so that facts do not make small outputs larger. */
export const smallestWithFact = 200;

/** Chance that it matters later that a file was changed. Reason: most changed files are looked at again before the work is handed over. */
export const modifiedMatters = 0.7;

/** Share of an edit's input that is the text to be replaced. Reason: edits of a growing project put in more than they take out. */
export const replacedShare = 0.4;

/** Steps before a newborn fact can be needed. Reason: what only a tool's result shows has to be restated first (W2). */
export const soonestNeed = 6;

/** Finished goals that a perfect summary still names, newest first. Reason: a person who takes over asks what was done lately, not all day. */
export const finishedGoalsNamed = 12;

/** Characters a token when the growth of a generated session is measured. Reason: chars / 3 is 0.85 to 0.92 of the real growth of these sessions (estimateOverRealGrowth of the brief's calibration). */
export const corpusCharsPerToken = 2.7;
/** Tokens around the input of a call: its name, its id and the form of the call. Reason: as much as a result's measured overhead. */
export const callFrameTokens = 30;

/** Where nothing was measured for a tool: MCP results look like fetched pages, their input like a search's. */
export const sizesLike = { results: "WebFetch", inputs: "Grep", errors: "WebFetch", latency: "WebFetch" } as const;
/** Share of parallel calls of tools for which it was not measured: the share over all tools. */
export const otherParallelShare = 0.1;
/** Agent and its older name Task were measured apart, in nearly equal numbers (238 and 202). */
export const taskShareOfAgents = 0.46;

/** Milliseconds after which a user breaks a turn off: long enough to have read what is done, short enough to mind. */
export const abortsAfterMs = [8000, 150_000] as const;

/** A night without the user lasts 8 to 14 hours. */
export const shortestNightHours = 8;
export const nightSpreadHours = 6;

/** Characters of a long paste, beyond the measured sizes. */
export const pasteChars = 4000;
