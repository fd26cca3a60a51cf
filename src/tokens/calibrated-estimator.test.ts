import fc from "fast-check";
import { expect, test } from "vitest";
import { aBoundary, aNotice, anImage, aToolResult, aToolUse, aUser, disorderedTranscript } from "../testing/index.ts";
import type { Block } from "../transcript/index.ts";
import { charsPerToken } from "./chars-per-token.ts";
import { profileText } from "./content-kind.ts";
import { createCalibratedEstimator, estimateBlock, imageSize } from "./index.ts";

const samples = {
  prose:
    "The build failed because the lock file was written by a newer version of the tool, and the older one refuses to read it. We can either pin the version or write the file again; I would rather pin it.",
  markdown:
    "# Release notes\n\n- **Faster** start\n- `init` asks less\n\n## Fixes\n\n* The `--seed` option is *read* again\n* See [the guide](guide.md)\n\n```\nnpm start\n```\n",
  code: "export function add(a: number, b: number): number {\n  if (a === 0) return b;\n  const sum = a + b;\n  return items.map((x) => x * sum)[0] ?? sum;\n}\n",
  jsonMinified:
    '{"id":17,"name":"alpha","tags":["a","b"],"size":{"width":10,"height":20},"items":[{"id":1,"ok":true},{"id":2,"ok":false}]}',
  jsonIndented: JSON.stringify({ id: 17, name: "alpha", tags: ["a", "b"], size: { width: 10, height: 20 } }, null, 2),
  csv: "id,name,city,zip\n1,anna,bern,3011\n2,ben,basel,4051\n3,carla,chur,7000\n4,dan,davos,7260\n5,eva,genf,1201\n",
  yaml: "name: build\non: push\njobs:\n  test:\n    runs-on: ubuntu\n    timeout: 10\n    env:\n      CI: true\n      NODE: 20\n",
  log: "2026-12-01 10:11:12.123 INFO server started on port 8081\n2026-12-01 10:11:13.456 WARN slow query took 1200 ms\n2026-12-01 10:11:15.001 ERROR connection reset by 10.0.0.7:5432\n",
  base64: "iVBORw0KGgoAAAANSUhEUgAAASwAAADICAYAAAABn2zGQWxsIHdvcmsgYW5kIG5vIHBsYXkgbWFrZXMgSmFjayBhIGR1bGwgYm95",
  hex: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  digits: "3141592653589793238462643383279502884197169399375105820974944592",
} as const;

test("T6: each kind of content is told by its look", () => {
  for (const [kind, text] of Object.entries(samples)) expect([kind, profileText(text).kind]).toEqual([kind, kind]);
});

test("T6: scripts that are counted by the character are told by their share", () => {
  expect(profileText("今天天气很好，我们去公园散步。".replace(/[，。]/g, ""))).toMatchObject({
    chinese: 1,
    japanese: 0,
  });
  expect(profileText("今日は天気がいいですね").japanese).toBe(1);
  expect(profileText("Привет мир").otherNonLatin).toBeCloseTo(0.9);
  expect(profileText("🎉🎉 ok").emoji).toBeCloseTo(4 / 7);
  expect(profileText("")).toMatchObject({ kind: "prose", chinese: 0, emoji: 0 });
});

test("T6: the calibrated estimate of uniform text is within 10 % of its rate, for both tokenizers, where the rule of thumb is off by up to four times", () => {
  for (const tokenizer of ["old", "new"] as const) {
    const { block } = createCalibratedEstimator({ tokenizer });
    for (const [kind, text] of Object.entries(samples)) {
      const long = text.repeat(60);
      const real = long.length / charsPerToken[tokenizer][kind as keyof typeof samples];
      expect(Math.abs(block({ type: "text", text: long }) / real - 1)).toBeLessThan(0.1);
    }
  }
  const encoded: Block = { type: "text", text: samples.base64.repeat(60) };
  expect(createCalibratedEstimator().block(encoded) / estimateBlock(encoded)).toBeGreaterThan(3.5);
});

test("T6: an image weighs its pixels by 750 where its header tells them, else the flat 2000", () => {
  const { block } = createCalibratedEstimator();
  expect(block(anImage(1200, 800))).toBe(1280);
  expect(block(anImage(1500, 1000))).toBeCloseTo(1_150_000 / 750, 1);
  expect(block(anImage(3136, 300))).toBeCloseTo((1568 * 150) / 750, 1);
  expect(block(anImage(300, 200))).toBe(80);
  expect(block(aToolResult("t1", [anImage(750, 750)]))).toBe(750);
  expect(block({ type: "image", source: { type: "url", url: "https://example.com/a.png" } })).toBe(2000);
  expect(block({ type: "image", source: { type: "base64", media_type: "image/png", data: "bm90IGFuIGltYWdl" } })).toBe(
    2000,
  );
});

function base64Of(...bytes: readonly (number | string)[]): string {
  const all = bytes.flatMap((each) =>
    typeof each === "string" ? [...each].map((sign) => sign.charCodeAt(0)) : [each],
  );
  return btoa(String.fromCharCode(...all));
}

test("T6: the size is read from PNG, GIF, JPEG and WebP headers", () => {
  const size = { width: 1025, height: 258 };
  const exif = [0xff, 0xe1, 0, 6, 1, 2, 3, 4];
  const headers = {
    png: anImage(1025, 258).source.type === "base64" ? (anImage(1025, 258).source as { data: string }).data : "",
    gif: base64Of("GIF89a", 1, 4, 2, 1, 0, 0, 0),
    jpeg: base64Of(0xff, 0xd8, ...exif, 0xff, 0xff, 0xc2, 0, 17, 8, 1, 2, 4, 1, 3),
    webpLossy: base64Of("RIFF", 0, 0, 0, 0, "WEBPVP8 ", 0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 1, 4, 2, 1),
    webpLossless: base64Of("RIFF", 0, 0, 0, 0, "WEBPVP8L", 0, 0, 0, 0, 0x2f, 0x00, 0x44, 0x40, 0x00),
    webpExtended: base64Of("RIFF", 0, 0, 0, 0, "WEBPVP8X", 10, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 1, 0),
  };
  for (const [kind, header] of Object.entries(headers)) expect([kind, imageSize(header)]).toEqual([kind, size]);
});

test("T6: reading a size never throws, whatever the text is", () => {
  const starts = ["", "iVBORw0KGgo", "R0lGODlh", "/9j/4AAQ", "UklGRgAAAABXRUJQVlA4"];
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.oneof(fc.base64String(), fc.string()), (start, rest) => {
      const size = imageSize(start + rest);
      expect(size === null || (size.width > 0 && size.height > 0)).toBe(true);
    }),
  );
});

test("T6: an estimate depends on the message alone and is a whole number of sixty-fourths, so sums are exact", () => {
  fc.assert(
    fc.property(disorderedTranscript(), (messages) => {
      const estimator = createCalibratedEstimator({ tokenizer: "old" });
      for (const message of messages) {
        const tokens = estimator.message(message);
        expect(Number.isInteger(tokens * 64)).toBe(true);
        expect(tokens).toBe(createCalibratedEstimator({ tokenizer: "old" }).message(structuredClone(message)));
      }
    }),
  );
});

test("T6: every kind of block has its weight: by its text, by its JSON, or the flat 2000", () => {
  const { block } = createCalibratedEstimator();
  const text = (of: string): number => block({ type: "text", text: of });
  const plain: Block = { type: "document", source: { type: "text", media_type: "text/plain", data: samples.prose } };
  const pdf: Block = { type: "document", source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" } };
  const edits: Block = { type: "cache_edits", edits: [{ type: "delete", tool_use_id: "toolu_1" }] };
  expect(text(samples.prose)).toBeGreaterThan(50);
  expect(block({ type: "thinking", thinking: samples.prose, signature: "s".repeat(400) })).toBe(text(samples.prose));
  expect(block({ type: "redacted_thinking", data: "x".repeat(340) })).toBe((340 * 0.75) / charsPerToken.new.prose);
  expect(block(aToolUse("t", "Read", { a: 1 }))).toBe(text("Read") + text('{"a":1}'));
  expect(block(aToolUse("t", "Read", null))).toBe(text("Read") + text("{}"));
  expect(block(plain)).toBe(text(samples.prose));
  expect(block(pdf)).toBe(2000);
  expect(block({ type: "compaction", content: samples.prose })).toBe(text(samples.prose));
  expect(block({ type: "compaction", content: null })).toBe(0);
  expect(block(edits)).toBe(text(JSON.stringify(edits)));
  expect(block({ type: "opaque", wire: { type: "new", n: 1 } })).toBe(text('{"type":"new","n":1}'));
  expect(block({ type: "opaque", wire: undefined as never })).toBe(0);
  expect(() => block({ type: "unheard-of" } as never)).toThrow();
});

test("T6: a message weighs what its blocks weigh, and nothing when it is never sent", () => {
  const { block, message, name } = createCalibratedEstimator();
  const blocks: readonly Block[] = [{ type: "text", text: samples.prose }, aToolResult("t1", samples.code)];
  expect(name).toBe("calibrated");
  expect(message(aUser(blocks))).toBe(blocks.reduce((sum, each) => sum + block(each), 0));
  expect(message(aBoundary())).toBe(0);
  expect(message(aNotice(samples.prose))).toBe(0);
});

test("T6: each script is counted at its own rate, beside the Latin text at that of its kind", () => {
  const { block } = createCalibratedEstimator();
  const rates = charsPerToken.new;
  const weigh = (text: string): number => block({ type: "text", text });
  expect(weigh("中".repeat(120))).toBeCloseTo(120 / rates.chinese, 1);
  expect(weigh("の".repeat(110))).toBeCloseTo(110 / rates.japanese, 1);
  expect(weigh("🎉".repeat(20))).toBeCloseTo(40 / rates.emoji, 1);
  expect(weigh("я".repeat(200))).toBeCloseTo(200 / rates.otherNonLatin, 1);
  const latin = "z".repeat(340);
  expect(weigh(latin + "中".repeat(120))).toBeCloseTo(340 / rates.prose + 120 / rates.chinese, 1);
  expect(weigh(latin + "の".repeat(110))).toBeCloseTo(340 / rates.prose + 110 / rates.japanese, 1);
  expect(weigh(latin + "🎉".repeat(20))).toBeCloseTo(340 / rates.prose + 40 / rates.emoji, 1);
  expect(weigh(latin + "я".repeat(200))).toBeCloseTo(340 / rates.prose + 200 / rates.otherNonLatin, 1);
});
