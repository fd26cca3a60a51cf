/** Text that is markup already. Only `html` and `trusted` make it, so everything else is escaped. */
export interface Html {
  readonly kind: "html";
  readonly text: string;
}

type Part = Html | string | number | null | false | readonly Part[];

/** Markup from a template: strings and numbers are escaped, markup and lists of it pass, null and false give nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? "";
  for (const [index, part] of parts.entries()) text += render(part) + (strings[index + 1] ?? "");
  return { kind: "html", text };
}

/** Marks text as markup. Only for text that this room made, such as an SVG by Vega. */
export function trusted(text: string): Html {
  return { kind: "html", text };
}

/** JSON that may stand inside a `<script>`: no `<` is left in it (R2), nor a line end that older scripts break on. */
export function jsonForScript(value: unknown): Html {
  const text = JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return trusted(text);
}

/** A name that may stand in `id` and after `#`: letters, digits, dots and hyphens. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^-|-$/g, "");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control characters have no place in HTML and are shown as their pictures; lone surrogates as the replacement character. */
function escapeText(text: string): string {
  return text
    .replace(/[&<>"']/g, (c) => entities[c] ?? "")
    .replace(/(?![\t\n\r])\p{Cc}/gu, (c) => (c < " " ? String.fromCharCode(0x2400 + c.charCodeAt(0)) : "\ufffd"))
    .replace(/\p{Surrogate}/gu, "\ufffd");
}

function render(part: Part): string {
  if (part === null || part === false) return "";
  if (typeof part === "string") return escapeText(part);
  if (typeof part === "number") return String(part);
  if ("kind" in part) return part.text;
  return part.map(render).join("");
}
