import { createRng } from "../../../determinism/index.ts";
import type { WireMessage } from "../../../transcript/index.ts";
import type { Workload } from "../../../workload/index.ts";
import { converse, createWorkload } from "../../../workload/index.ts";
import type { Effect, EffectOptions } from "./effect.ts";

/** Share of the context that is compacted, percent, and the recall that was published for it. */
const published = [
  [0, 92],
  [25, 86],
  [50, 62],
  [98, 21],
] as const;

/** Passes over the history in the comparison of two ways to repeat a summary. */
const segments = 6;

/** Rounds whose messages fill a window of 200K, about. */
const rounds = 120;

const prompt =
  "Write <analysis>…</analysis>, then <summary> with these sections:\n" +
  Array.from({ length: 9 }, (_, i) => `${i + 1}. Section ${"ABCDEFGHI"[i]}: all of it`).join("\n");

/** One pass over the oldest part: the more of the context it covers, the less can be recalled. */
export function recallFalls({ seed }: EffectOptions): Effect {
  const worlds = sessions(seed);
  const figures = published.map(([percent, recall]) => {
    const shares = worlds.map(({ world, messages }, i) => {
      const cut = atAssistant(messages, Math.round((messages.length * percent) / 100));
      const summary = cut === 0 ? "" : summarise(world, messages.slice(0, cut), `recall/${i}/${percent}`);
      return recalled(world, messages, [summary, ...textsOf(messages.slice(cut))]);
    });
    return {
      name: `recall with ${percent} % compacted`,
      unit: "%",
      published: recall,
      measured: mean(shares),
    } as const;
  });
  return {
    says: "recall falls with the share of the context that one pass has compacted",
    source: "the brief's published points (simulation.md M4)",
    holds: figures.every(({ measured }, i) => i === 0 || measured < (figures[i - 1]?.measured ?? 0)),
    figures,
  };
}

/** The summary so far and what is new summarised again, or each part summarised once and kept. */
export function repeatingLosesMore({ seed }: EffectOptions): Effect {
  const shares = sessions(seed).map(({ world, messages }, i) => {
    let whole = "";
    const parts: string[] = [];
    for (let part = 0; part < segments; part++) {
      const from = atAssistant(messages, Math.round((messages.length * part) / segments));
      const until = atAssistant(messages, Math.round((messages.length * (part + 1)) / segments));
      const fresh = messages.slice(from, until);
      const before: readonly WireMessage[] = whole === "" ? [] : [{ role: "user", content: whole }];
      whole = summarise(world, [...before, ...fresh], `whole/${i}/${part}`) || whole;
      parts.push(summarise(world, fresh, `part/${i}/${part}`));
    }
    return [recalled(world, messages, [whole]), recalled(world, messages, parts)] as const;
  });
  const whole = mean(shares.map(([share]) => share));
  const parts = mean(shares.map(([, share]) => share));
  return {
    says: "summarising the whole history again and again loses more than summarising each part once",
    source: "the brief's published points (simulation.md M4)",
    holds: whole < parts,
    figures: [
      { name: `recall after ${segments} passes over the whole history`, unit: "%", published: null, measured: whole },
      { name: `recall after ${segments} parts summarised once each`, unit: "%", published: null, measured: parts },
    ],
  };
}

interface Played {
  readonly world: Workload;
  readonly messages: readonly WireMessage[];
}

function sessions(seed: string): readonly Played[] {
  return (["bugfix", "exploration", "refactor"] as const).map((profile) => {
    const rng = createRng(seed).fork("effects", profile);
    const world = createWorkload({ profile, rounds, rng, overrides: { overheadTokens: 1000 } });
    return { world, messages: converse(world, { mostRounds: rounds * 2, rng: rng.fork("dry") }).messages };
  });
}

/** Asked again where the summariser called a tool instead; empty when it never wrote. */
function summarise(world: Workload, messages: readonly WireMessage[], key: string): string {
  for (let attempt = 0; attempt < 5; attempt++) {
    const request = {
      model: "m",
      max_tokens: 20_000,
      system: world.system,
      tools: world.tools,
      messages: [...messages, { role: "user" as const, content: prompt }],
    };
    const { content } = world.model(request, { source: "compact", rng: createRng(`${key}/${attempt}`), nowMs: 0 });
    const text = content.map((block) => (block.kind === "text" ? block.text : "")).join("");
    if (text !== "") return text.replace(/<analysis>[\s\S]*<\/analysis>/, "");
  }
  return "";
}

/** Of all facts that the history ever showed, the percentage that can still be read. */
function recalled(world: Workload, history: readonly WireMessage[], left: readonly string[]): number {
  const shown = world.visibleFacts(textsOf(history)).visible;
  const kept = world.visibleFacts(left).visible;
  return (100 * [...shown].filter((fact) => kept.has(fact)).length) / Math.max(1, shown.size);
}

function textsOf(messages: readonly WireMessage[]): readonly string[] {
  return messages.flatMap(({ content }) =>
    typeof content === "string"
      ? [content]
      : content.flatMap((block): string[] => {
          if (typeof block.text === "string") return [block.text];
          if (typeof block.content === "string") return [block.content];
          return block.type === "tool_use" ? [JSON.stringify(block.input)] : [];
        }),
  );
}

/** The first place from `at` on where an answer begins: calls and results stay together. */
function atAssistant(messages: readonly WireMessage[], at: number): number {
  if (at === 0) return 0;
  const next = messages.findIndex(({ role }, i) => i >= at && role === "assistant");
  return next < 0 ? messages.length : next;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
