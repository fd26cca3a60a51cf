import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** A script that stands in the page, and the CSP source that lets exactly it run. */
export interface InlineScript {
  readonly text: string;
  readonly cspSource: string;
}

/** The page's style sheet, and the scripts in the order in which they must run: Vega, Vega-Lite, its expression interpreter, vega-embed, ours. Read once. */
export function pageAssets(): Promise<{ readonly style: string; readonly scripts: readonly InlineScript[] }> {
  assets ??= readAssets();
  return assets;
}

/** In the order of the cascade: what depends on the width and on paper comes last. */
const styleSheets = ["colors", "base", "frame", "figure", "table", "turns", "suite", "tooltip", "narrow", "print"];

let assets: ReturnType<typeof readAssets> | undefined;

async function readAssets(): Promise<{ style: string; scripts: InlineScript[] }> {
  const texts = [
    beside(require.resolve("vega"), "vega.min.js"),
    beside(require.resolve("vega-lite"), "vega-lite.min.js"),
    asClassicScript(beside(require.resolve("vega-interpreter"), "vega-interpreter.js")),
    beside(require.resolve("vega-embed"), "vega-embed.min.js"),
    ours("page.js"),
  ];
  return {
    style: styleSheets.map((name) => ours(`${name}.css`)).join(""),
    scripts: await Promise.all(texts.map(inline)),
  };
}

/** The packages do not export their browser builds by name: they lie beside the module that they do export. */
function beside(module: string, file: string): string {
  return readFileSync(join(dirname(module), file), "utf8");
}

function ours(file: string): string {
  return readFileSync(new URL(`./assets/${file}`, import.meta.url), "utf8");
}

/** vega-interpreter is published as a module only, which imports from vega-util what the Vega bundle carries as well. */
function asClassicScript(module: string): string {
  const body = module
    .replace(/^import \{([^}]*)\} from 'vega-util';$/m, "const {$1} = vega;")
    .replace(/^export \{ expression as expressionInterpreter \};$/m, "globalThis.vegaInterpreter = expression;");
  if (/^(import|export) /m.test(body))
    throw new Error("vega-interpreter has another form than 2.3: adapt asClassicScript");
  return `(() => {\n${body}\n})();`;
}

/** An HTML parser turns CR into LF before the hash is taken, and `</script` or `<!--` would end or change the script. */
async function inline(raw: string): Promise<InlineScript> {
  const text = raw
    .replace(/\r\n?/g, "\n")
    .replace(/^\/\/# sourceMappingURL=.*$/gm, "")
    .replace(/<(?=\/script|!--)/gi, "\\x3c")
    .trim();
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return { text, cspSource: `'sha256-${Buffer.from(digest).toString("base64")}'` };
}
