import type { Rng } from "../determinism/index.ts";
import { areas, cjkSentences, nouns, sentences, verbs } from "./vocabulary.ts";

/** What a generated text is written in (W1). */
export const languages = ["prose", "typescript", "python", "json", "log", "cjk", "minified", "base64"] as const;
export type Language = (typeof languages)[number];

/** Lines of every language, made once for a session; texts are drawn from them line by line. */
export interface TextPools {
  readonly line: (language: Language, rng: Rng) => string;
}

/** Lines in a pool: enough that two texts of a few thousand characters do not look alike. */
const poolSize = 360;

export function createTextPools(rng: Rng): TextPools {
  const pools = new Map<Language, readonly string[]>();
  const poolOf = (language: Language): readonly string[] => {
    let pool = pools.get(language);
    if (pool === undefined) {
      const stream = rng.fork("lines", language);
      pool = Array.from({ length: poolSize }, () => makeLine[language](stream));
      pools.set(language, pool);
    }
    return pool;
  };
  return { line: (language, stream) => stream.pick(poolOf(language)) };
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const symbol = (rng: Rng): string => `${rng.pick(verbs)}${capital(rng.pick(nouns))}`;
const field = (rng: Rng): string => `${rng.pick(areas)}.${rng.pick(nouns)}`;

const makeLine: Readonly<Record<Language, (rng: Rng) => string>> = {
  prose: (rng) =>
    rng.pick([
      () => rng.pick(sentences),
      () => `The ${rng.pick(nouns)} of ${rng.pick(areas)} is read before the ${rng.pick(nouns)} is there.`,
      () =>
        `Nothing in ${rng.pick(areas)} depends on the ${rng.pick(nouns)}, so it can be moved to ${rng.pick(areas)}.`,
      () =>
        `When the ${rng.pick(nouns)} is empty, ${rng.pick(areas)} keeps the old ${rng.pick(nouns)} for another ${rng.integer(2, 60)} seconds.`,
      () => `I will ${rng.pick(verbs)} the ${rng.pick(nouns)} first and look at ${rng.pick(areas)} after that.`,
      () => `There are ${rng.integer(2, 40)} callers of \`${symbol(rng)}\`, and all of them are in ${rng.pick(areas)}.`,
      () =>
        `\`${symbol(rng)}\` gets the ${rng.pick(nouns)} by reference, so a change shows in ${rng.pick(areas)} as well.`,
      () => `The log of ${rng.pick(areas)} names the ${rng.pick(nouns)} ${rng.integer(2, 90)} times within a minute.`,
    ])(),
  typescript: (rng) =>
    rng.pick([
      () =>
        `export function ${symbol(rng)}(${rng.pick(nouns)}: ${capital(rng.pick(nouns))}): ${capital(rng.pick(nouns))} {`,
      () => `  const ${rng.pick(nouns)} = await ${symbol(rng)}(${field(rng)}, { limit: ${rng.integer(2, 900)} });`,
      () => `  if (${field(rng)} === undefined) return ${rng.pick(["null", "undefined", "[]", "false"])};`,
      () => `  for (const ${rng.pick(nouns)} of ${symbol(rng)}(${rng.pick(nouns)}s)) {`,
      () => `    ${field(rng)}.push({ id: ${rng.pick(nouns)}.id, ${rng.pick(nouns)}: ${rng.pick(nouns)} });`,
      () => `  return ${symbol(rng)}(${rng.pick(nouns)});`,
      () => "  }",
      () => "}",
      () => "",
      () => `  // ${rng.pick(sentences)}`,
      () => `import { ${symbol(rng)} } from "../${rng.pick(areas)}/${rng.pick(nouns)}.ts";`,
      () => `  throw new RangeError(\`${rng.pick(nouns)} \${${rng.pick(nouns)}.id} is not in ${rng.pick(areas)}\`);`,
    ])(),
  python: (rng) =>
    rng.pick([
      () => `def ${rng.pick(verbs)}_${rng.pick(nouns)}(self, ${rng.pick(nouns)}, *, limit=${rng.integer(2, 900)}):`,
      () =>
        `    ${rng.pick(nouns)} = self.${rng.pick(areas)}.${rng.pick(verbs)}_${rng.pick(nouns)}(${rng.pick(nouns)})`,
      () => `    if not ${rng.pick(nouns)}.${rng.pick(nouns)}:`,
      () => `        raise ValueError(f"no ${rng.pick(nouns)} in {self.${rng.pick(areas)}!r}")`,
      () => `    for ${rng.pick(nouns)} in sorted(${rng.pick(nouns)}s, key=lambda item: item.${rng.pick(nouns)}):`,
      () => `        yield ${rng.pick(nouns)}, ${rng.pick(nouns)}`,
      () => `    """${rng.pick(sentences)}"""`,
      () => "",
      () => `    return ${rng.pick(verbs)}_${rng.pick(nouns)}(${rng.pick(nouns)})`,
    ])(),
  json: (rng) =>
    rng.pick([
      () =>
        `    { "id": ${rng.integer(1, 999)}, "${rng.pick(nouns)}": "${rng.pick(areas)}", "${rng.pick(nouns)}": ${rng.integer(0, 999)} },`,
      () => `    "${rng.pick(nouns)}": [${rng.integer(0, 99)}, ${rng.integer(0, 99)}, ${rng.integer(0, 99)}],`,
      () => `    "${rng.pick(areas)}": { "enabled": ${rng.pick(["true", "false"])}, "${rng.pick(nouns)}": null },`,
    ])(),
  log: (rng) =>
    rng.pick([
      () =>
        `[${rng.integer(10, 23)}:${rng.integer(10, 59)}:${rng.integer(10, 59)}.${rng.integer(100, 999)}] INFO  ${rng.pick(areas)}: ${rng.pick(verbs)} ${rng.pick(nouns)} ${rng.integer(1, 999)} ok`,
      () =>
        `[${rng.integer(10, 23)}:${rng.integer(10, 59)}:${rng.integer(10, 59)}.${rng.integer(100, 999)}] WARN  ${rng.pick(areas)}: slow ${rng.pick(nouns)}, ${rng.integer(100, 999)} ms`,
      () => ` ✓ ${rng.pick(areas)} › ${rng.pick(verbs)}s the ${rng.pick(nouns)} (${rng.integer(1, 99)} ms)`,
      () =>
        `    at ${symbol(rng)} (src/${rng.pick(areas)}/${rng.pick(nouns)}.ts:${rng.integer(1, 400)}:${rng.integer(1, 60)})`,
    ])(),
  cjk: (rng) =>
    rng.chance(0.6)
      ? rng.pick(cjkSentences)
      : `${rng.pick(areas)} の ${rng.pick(nouns)} は ${rng.integer(2, 90)} 秒で${rng.pick(["更新されます", "破棄されます", "再送されます"])}。`,
  minified: (rng) =>
    Array.from(
      { length: 12 },
      () =>
        `function ${rng.hex(1)}(${rng.pick(["e", "t", "n"])}){return ${symbol(rng)}(e.${rng.pick(nouns)},t)||n.${rng.pick(verbs)}()}`,
    ).join(";"),
  base64: (rng) => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return Array.from({ length: 76 }, () => alphabet.charAt(rng.integer(0, 63))).join("");
  },
};

/** A text of `language`, at least `head` and else close to `chars` characters long (a whole line more or less; cut for prose). */
export function writeText(
  pools: TextPools,
  language: Language,
  chars: number,
  rng: Rng,
  head: readonly string[] = [],
): string {
  const lines = [...head];
  let size = lines.reduce((sum, line) => sum + line.length + 1, 0);
  const glue = language === "prose" || language === "cjk" ? " " : "\n";
  while (size < chars) {
    const line = pools.line(language, rng);
    lines.push(line);
    size += line.length + 1;
  }
  const text = lines.join(glue);
  const shortest = head.join(glue).length;
  return text.length > chars ? text.slice(0, Math.max(Math.round(chars), shortest)) : text;
}
