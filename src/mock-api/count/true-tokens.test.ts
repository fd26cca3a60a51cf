import fc from "fast-check";
import { expect, test } from "vitest";
import { createRng } from "../../determinism/index.ts";
import { assistant, call, createRig, messageOf, refusalText, result, text, user } from "../test-rig.ts";
import { imageFacts, imageTokens, pdfFacts } from "./media.ts";
import { drawRates, measuredRates, textKinds } from "./rates.ts";
import { textMix } from "./text-kind.ts";

const samples: Readonly<Record<string, string>> = {
  prose: "The session went on for hours, and nobody could say what had been decided on the first day. ".repeat(20),
  markdown: "## Findings\n\n- the cache is cold\n- the retry is late\n\nSome words follow here\n".repeat(20),
  code: "export function add(a: number, b: number): number {\n  return a + b; // sum\n}\n".repeat(20),
  jsonMinified: `[${Array(50).fill('{"name":"a","size":12,"tags":["x","y"]}').join(",")}]`,
  jsonIndented: JSON.stringify(Array(30).fill({ name: "a", size: 12, tags: ["x", "y"] }), null, 2),
  csv: "id,name,city,amount,state\n".repeat(3) + "12,anna,berlin,33,open\n".repeat(60),
  log: "2026-12-01 10:22:33.123 INFO 4431 request 8821 took 31 ms\n".repeat(30),
  yaml: "name: run\nsteps:\n  - uses: checkout\n  - run: test\n".repeat(20),
  base64: "QWxsIHdvcmsgYW5kIG5vIHBsYXkgbWFrZXMgSmFjayBhIGR1bGwgYm95".repeat(10),
  hex: "deadbeef0123456789abcdef".repeat(20),
  digits: "31415926535897932384626433".repeat(10),
};

test("K1: the kind of a text is told from its form", () => {
  expect(Object.fromEntries(Object.entries(samples).map(([kind, sample]) => [kind, textMix(sample).kind]))).toEqual(
    Object.fromEntries(Object.keys(samples).map((kind) => [kind, kind])),
  );
});

test("K1: scripts with a rate of their own are counted by the character", () => {
  expect(textMix("漢字かなカナ한국🙂a")).toEqual({ kind: "prose", chinese: 4, japanese: 4, emoji: 1, rest: 1 });
});

test("K1: the rates of a seed lie within 15 % of the measured ones, and differ between seeds", () => {
  for (const seed of [1, 2, 3]) {
    const rates = drawRates(createRng(seed));
    for (const tokenizer of ["old", "new"] as const)
      for (const kind of textKinds)
        expect(Math.abs(rates[tokenizer][kind] / measuredRates[tokenizer][kind] - 1)).toBeLessThanOrEqual(0.15);
  }
  expect(drawRates(createRng(1))).not.toEqual(drawRates(createRng(2)));
});

test("K1: the count of a request is what the answer bills, and what count_tokens says", () => {
  const rig = createRig();
  const body = {
    model: "claude-opus-4-6",
    system: "be brief",
    tools: [{ name: "Read", input_schema: { type: "object" as const } }],
    messages: [user("go"), assistant([text("look"), call("a")]), user([result("a", samples.code)] as never)],
  };
  const counted = rig.api.countTrueTokens({ ...body, max_tokens: 1 });
  expect(messageOf(rig.send(body)).usage.input_tokens).toBe(counted);
  const path = "/v1/messages/count_tokens";
  const reply = rig.api.serve({ method: "POST", path, headers: { "x-api-key": "k" }, body });
  expect(reply.body).toEqual({ kind: "json", value: { input_tokens: counted } });
  const bad = rig.api.serve({
    method: "POST",
    path,
    headers: { "x-api-key": "k" },
    body: { ...body, messages: [user([text("")])] },
  });
  expect(refusalText(bad)).toBe("messages: text content blocks must be non-empty");
});

test("K1: a count does not depend on what was counted before, or on whether objects are shared", () => {
  const words = fc.array(fc.constantFrom(...Object.values(samples), "漢字", "", "x"), { minLength: 1, maxLength: 6 });
  const one = createRig();
  fc.assert(
    fc.property(words, (list) => {
      const messages = list.map((word, i) => (i % 2 === 0 ? user(`${word}.`) : assistant([text(`${word}.`)])));
      const body = { model: "claude-opus-5", max_tokens: 1, messages };
      const shared = one.api.countTrueTokens(body);
      expect(one.api.countTrueTokens(JSON.parse(JSON.stringify(body)))).toBe(shared);
      expect(createRig().api.countTrueTokens(body)).toBe(shared);
    }),
    { numRuns: 40 },
  );
});

test("K1: an image costs its pixels, at most those of 1.15 megapixels; PDF pages are counted", () => {
  expect(imageTokens({ width: 750, height: 100 })).toBe(100);
  expect(imageTokens({ width: 8_000, height: 8_000 })).toBe(1_534);
  expect(imageTokens(null)).toBe(1_534);
  const gif = Buffer.concat([Buffer.from("GIF89a"), Buffer.from([10, 0, 20, 0]), Buffer.alloc(20)]).toString("base64");
  expect(imageFacts(gif)).toMatchObject({ size: { width: 10, height: 20 } });
  const jpeg = Buffer.from([
    0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xc0, 0, 17, 8, 0, 30, 0, 40, 3, 1, 1, 1, 1,
  ]).toString("base64");
  expect(imageFacts(jpeg)).toMatchObject({ size: { width: 40, height: 30 } });
  expect(imageFacts("not base64 !!")).toMatchObject({ size: null });
  expect(pdfFacts(Buffer.from("/Type /Pages /Type /Page\n/Type/Page").toString("base64"))).toMatchObject({ pages: 2 });
});

test("K5: the dollars of an answer follow the price list: writes, reads, long contexts, the US", () => {
  const rig = createRig();
  const message = user([text(samples.prose?.repeat(30) ?? "", { cache_control: { type: "ephemeral" } })]);
  const dollars = (fields: Record<string, unknown>): number => {
    rig.send(fields);
    const event = rig.events.at(-1);
    return event?.kind === "served" ? event.dollars : Number.NaN;
  };
  const first = dollars({ model: "claude-opus-4-8", messages: [message] });
  const written = rig.events.at(-1) as unknown as { billed: { write: number; output: number } };
  expect(first).toBeCloseTo((written.billed.write * 6.25 + written.billed.output * 25) / 1e6, 10);
  rig.now += 60_000;
  const again = dollars({ model: "claude-opus-4-8", messages: [message], inference_geo: "us" });
  expect(again).toBeCloseTo(((written.billed.write * 0.5 + written.billed.output * 25) / 1e6) * 1.1, 10);
  const short = dollars({ model: "claude-haiku-5-5", messages: [user("word ".repeat(50_000))] });
  const long = dollars({ model: "claude-haiku-5-5", messages: [user("word ".repeat(100_000))] });
  expect(long / short).toBeGreaterThan(9);
});
