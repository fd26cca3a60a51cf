import { expect, test } from "vitest";
import { capThatFits } from "./cap-that-fits.ts";
import { classifyThrown } from "./thrown-error.ts";

const body = (type: string, message: string) => ({ type: "error", error: { type, message } });

test.each([
  [
    {
      status: 400,
      error: body("invalid_request_error", "prompt is too long: 7 tokens > 5 maximum"),
      message: "400 {}",
    },
    { class: "overflow", text: "prompt is too long: 7 tokens > 5 maximum", tokens: 7, limit: 5 },
  ],
  [
    { status: 529, error: body("overloaded_error", "Overloaded") },
    { class: "overloaded", text: "Overloaded" },
  ],
  [{ error: body("overloaded_error", "Overloaded") }, { class: "overloaded", text: "Overloaded" }],
  [
    { status: 400, error: { message: "Input is too long for requested model." } },
    { class: "overflow", text: "Input is too long for requested model." },
  ],
  [
    { status: 413, message: "413 too large" },
    { class: "media", text: "413 too large" },
  ],
  [{ status: 503 }, { class: "transient", text: "HTTP 503 without a readable error body" }],
  [
    { status: 401, error: null, message: 7 },
    { class: "auth", text: "HTTP 401 without a readable error body" },
  ],
  [new TypeError("fetch failed"), { class: "transient", text: "fetch failed" }],
  [
    { status: "400", message: "no number" },
    { class: "transient", text: "no number" },
  ],
  ["a text", { class: "transient", text: "the client failed without saying why" }],
  [null, { class: "transient", text: "the client failed without saying why" }],
  [undefined, { class: "transient", text: "the client failed without saying why" }],
])("RC2: what a client throws is told by its shape: %o", (thrown, means) => {
  expect(classifyThrown(thrown)).toEqual(means);
});

test("RC3: the cap that fits is what the window leaves beside the input, if that is worth a request and less than before", () => {
  const refused = (tokens: number, limit = 200_000) => ({ class: "output-overflow", text: "", tokens, limit }) as const;
  expect(capThatFits(refused(203_000), 8_000)).toBe(5_000);
  expect(capThatFits(refused(206_976), 8_000)).toBe(1_024);
  expect(capThatFits(refused(206_977), 8_000)).toBeNull();
  expect(capThatFits(refused(200_000), 8_000)).toBeNull();
  expect(capThatFits({ ...refused(203_000), class: "overflow" }, 8_000)).toBeNull();
  expect(capThatFits({ class: "output-overflow", text: "", tokens: 203_000 }, 8_000)).toBeNull();
  expect(capThatFits({ class: "output-overflow", text: "", limit: 200_000 }, 8_000)).toBeNull();
});

test("RC5: a body without a status is an error inside a stream, which passes", () => {
  expect(classifyThrown({ error: { error: { type: "a_new_error", message: "no" } } })).toEqual({
    class: "transient",
    text: "no",
  });
});
