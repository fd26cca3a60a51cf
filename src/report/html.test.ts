import fc from "fast-check";
import { expect, test } from "vitest";
import { html, jsonForScript, slug } from "./html.ts";

test("R2: text in a page is escaped, markup made by html is not", () => {
  const inner = html`<b>${"<script>alert(1)</script> & \"'"}</b>`;
  expect(html`<p title="${'"'}">${inner}</p>`.text).toBe(
    '<p title="&quot;"><b>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;&#39;</b></p>',
  );
});

test("null and false leave nothing, lists are joined, nought is shown", () => {
  expect(html`${null}${false}${0}${["a", html`<i></i>`, ["<"]]}`.text).toBe("0a<i></i>&lt;");
});

test("R2: no text of any kind can open a tag, close an attribute or carry a control character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const shown = html`${text}`.text;
      expect(shown).not.toMatch(/[<>"']/);
      expect(shown).not.toMatch(/(?![\t\n\r])\p{Cc}/u);
      expect(shown).not.toMatch(/\p{Surrogate}/u);
    }),
  );
});

test("R2: inlined data holds no `<` and reads back as it was", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, text) => {
      const data = { value, text, evil: "</script><!--\u2028" };
      const inlined = jsonForScript(data).text;
      expect(inlined).not.toMatch(/[<\u2028\u2029]/);
      expect(JSON.parse(inlined)).toEqual(JSON.parse(JSON.stringify(data)));
    }),
  );
});

test("a slug can stand in an id and after #", () => {
  expect(slug('Prompt too <long> & "more" 7')).toBe("prompt-too-long-more-7");
});
