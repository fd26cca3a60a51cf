import type { ErrorClass } from "../compaction/index.ts";
import { clientSins, faultKinds } from "../mock-api/index.ts";
import { toolFaultKinds } from "../simulate/index.ts";
import { factKinds } from "../workload/index.ts";
import { eventFields } from "./event-fields.ts";

type Words = readonly string[] | "any";

const factKind = { kind: factKinds } as const;
const layer: Words = eventFields("compact_succeeded").layer ?? "any";
const classes = Object.keys({
  overflow: 1,
  "output-overflow": 1,
  media: 1,
  "rate-limited": 1,
  overloaded: 1,
  transient: 1,
  auth: 1,
  refusal: 1,
  permanent: 1,
} satisfies Record<ErrorClass, 1>);

/** What a label of a metric can be, where that is a few words. A label that is left out here can be anything. */
const words: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  compactions: { layer, trigger: eventFields("compact_succeeded").trigger ?? "any" },
  compaction_failures: { layer },
  compaction_wait_seconds: { layer },
  tokens_freed: { layer },
  rounds_to_resume: { layer },
  microcompactions: { path: eventFields("microcompact").path ?? "any" },
  tokens: { kind: ["uncached", "write", "read", "output"] },
  violations: factKind,
  refetches: factKind,
  stale_values: factKind,
  facts_visible: factKind,
  facts_needed: { ...factKind, found: eventFields("fact_needed").found ?? "any" },
  turns: { outcome: eventFields("turn_ended").outcome ?? "any" },
  request_failures: { class: classes },
  faults: { kind: [...faultKinds, ...toolFaultKinds] },
  client_sins: { sin: clientSins },
};

/** The words that a label can be, or `any`. `source` means the same in every metric. */
export function labelWords(metric: string, label: string): Words {
  if (label === "source") return eventFields("request_sent").querySource ?? "any";
  return words[metric]?.[label] ?? "any";
}
