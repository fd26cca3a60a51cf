import { invalid } from "../api-error.ts";
import type { Rule } from "./rule.ts";

/** The version of the API that knows no sampling parameters. */
export const newVersion = "2026-10-21";

/** V1, the part that needs the whole form: sampling parameters by version and model, and what `max_tokens: 0` excludes. */
export const checkSampling: Rule = ({ body, model }, { version }) => {
  for (const name of ["temperature", "top_p", "top_k"] as const) {
    const value = body[name];
    if (value === undefined || value === null) continue;
    // The models up to Opus 4.6 are those with the old tokenizer.
    if (model.tokenizer === "new" && (version === newVersion || !isNeutral(name, value as number)))
      return invalid(`\`${name}\` is deprecated for this model.`);
    if (version === newVersion) return invalid(`${name}: Extra inputs are not permitted`);
  }
  if (body.max_tokens > 0) return undefined;
  const clash = clashWithWarming(body);
  return clash === undefined ? undefined : invalid(`max_tokens: 0 is not supported with \`${clash}\``);
};

function isNeutral(name: "temperature" | "top_p" | "top_k", value: number): boolean {
  return name === "temperature" ? value === 1 : name === "top_p" && value >= 0.99;
}

function clashWithWarming(body: Parameters<Rule>[0]["body"]): string | undefined {
  if (body.stream === true) return "stream";
  if (body.thinking !== undefined && body.thinking !== null && body.thinking.type !== "disabled") return "thinking";
  const output = body.output_config as { readonly format?: unknown } | null | undefined;
  if ((output?.format ?? body.output_format ?? null) !== null) return "output_config.format";
  return isForced(body.tool_choice?.type) ? "tool_choice" : undefined;
}

export function isForced(choice: string | undefined): boolean {
  return choice === "any" || choice === "tool";
}
