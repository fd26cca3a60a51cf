import type { Rng } from "../determinism/index.ts";
import type { ImageBlock, TextBlock } from "../transcript/index.ts";
import {
  abortsAfterMs,
  followUpsAmongShortest,
  nightSpreadHours,
  pasteChars,
  shortestNightHours,
  shortestPrompts,
} from "./assumptions.ts";
import { calibration, idleGapPoints } from "./calibration.ts";
import type { Plan, PlanTurn } from "./plan.ts";
import { makePng } from "./png.ts";
import type { SessionProfile } from "./profiles.ts";
import { valueAt, valueAtRank } from "./quantiles.ts";
import type { TextPools } from "./text-pools.ts";
import { writeText } from "./text-pools.ts";
import type { UserAction, WorkloadOverrides } from "./workload.ts";

export interface ScriptOptions {
  readonly plan: Plan;
  readonly profile: SessionProfile;
  readonly pools: TextPools;
  readonly rng: Rng;
  readonly overrides: WorkloadOverrides;
}

const hour = 3_600_000;

/** What the user means to do (M6): messages with goals, rules, corrections, pastes and images; waits between them; /compact; aborts. */
export function writeScript(options: ScriptOptions): readonly UserAction[] {
  const { plan, profile, overrides } = options;
  const middle = Math.ceil(plan.turns.length / 2);
  return plan.turns.flatMap((turn): readonly UserAction[] => {
    const rng = options.rng.fork("user", turn.index);
    const actions: UserAction[] = [];
    if (turn.index > 0) {
      if (profile.switchesWindow && turn.index === middle) actions.push({ kind: "switch-window", window: 200_000 });
      if (profile.resumesEvery > 0 && turn.index % profile.resumesEvery === 0) actions.push({ kind: "resume" });
      actions.push({ kind: "wait", ms: overrides.gapsMs?.[String(turn.index + 1)] ?? gapBefore(turn, profile, rng) });
      const compacts = rng.fork("compacts").chance(profile.manualCompacts);
      if (compacts && overrides.manualCompact !== false)
        actions.push({ kind: "compact", focus: rng.fork("focus").pick(focuses) });
    }
    const content = [...images(profile, rng), { type: "text", text: wording(turn, options, rng) } satisfies TextBlock];
    const say = {
      kind: "say",
      content,
      goals: turn.goals.map((goal) => plan.goals[goal]?.id ?? ""),
      why: "script",
    } as const;
    const aborts = overrides.aborts !== false && rng.fork("aborts").chance(profile.aborts);
    return [...actions, aborts ? { ...say, abortAfterMs: rng.fork("after").integer(...abortsAfterMs) } : say];
  });
}

const focuses = [
  "Keep all constraints and decisions.",
  "Keep exact values and the ports above all.",
  "Keep the file paths and what was changed.",
  "",
] as const;

function gapBefore(turn: PlanTurn, profile: SessionProfile, rng: Rng): number {
  if (profile.firstGapOverHour && turn.index === 1) return Math.round((1.02 + rng.fork("hour").next()) * hour);
  if (rng.fork("night").chance(profile.nights))
    return Math.round((shortestNightHours + nightSpreadHours * rng.fork("night-length").next()) * hour);
  return Math.round(valueAtRank(idleGapPoints(), rng.fork("gap").next()) * profile.idle * 1000);
}

function images(profile: SessionProfile, rng: Rng): readonly ImageBlock[] {
  const draw = rng.fork("images");
  if (!draw.chance(profile.images)) return [];
  return Array.from({ length: draw.integer(1, 3) }, (_, i) => {
    const width = draw.pick([640, 1024, 1280, 1920]);
    const data = makePng(width, Math.round(width * 0.625), draw.fork(i));
    return { type: "image", source: { type: "base64", media_type: "image/png", data } };
  });
}

/** What the user says to have the work go on, shortest first. */
const openings = [
  "ok",
  "go on",
  "Yes, go on.",
  "Yes, go on then.",
  "Good. Next, please.",
  "Fine. Now the rest of it.",
  "Looks right so far, continue.",
  "Good so far, please go on with the rest.",
  "That is what I meant; please go on with the next part.",
] as const;

/** The longest that fits. */
function openingWithin(chars: number): string {
  return openings.findLast((opening) => opening.length <= chars) ?? openings[0];
}

function wording(turn: PlanTurn, { plan, profile, pools }: ScriptOptions, rng: Rng): string {
  const goals = turn.goals.map((goal) => plan.facts[plan.goals[goal]?.fact ?? -1]?.sentence ?? "");
  const facts = turn.says.map((fact) => plan.facts[fact]?.sentence ?? "");
  const list =
    goals.length > 1
      ? [
          `Work through these ${goals.length} tasks, one after the other, without asking me in between.`,
          ...goals.map((goal) => `- ${goal}`),
        ]
      : goals;
  const target = Math.round(valueAt(calibration.userPromptChars, promptRank(goals.length > 0, rng.fork("size"))));
  const said = facts.reduce((sum, fact) => sum + fact.length + 1, 0);
  const opening = goals.length === 0 ? [openingWithin(target - said)] : [];
  const message = [...opening, ...list, ...facts].join(goals.length > 1 ? "\n" : " ");
  const pasted = rng.fork("pastes").chance(profile.pastes) ? pasteChars : 0;
  const room = target + pasted - message.length;
  if (room < 40) return message;
  if (room < 700) return `${message} ${writeText(pools, "prose", room, rng.fork("filler"))}`;
  const language = rng.fork("language").weighted(profile.languages);
  return `${message}\n\n\`\`\`\n${writeText(pools, language, room, rng.fork("paste"))}\n\`\`\``;
}

function promptRank(givesGoal: boolean, rng: Rng): number {
  if (!givesGoal && rng.chance(followUpsAmongShortest)) return rng.next() * shortestPrompts;
  return shortestPrompts + rng.next() * (1 - shortestPrompts);
}
