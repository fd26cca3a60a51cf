import { createStableHash } from "../../determinism/index.ts";
import type { ProfileName } from "../../workload/index.ts";
import { profileNames, summariserProfileNames } from "../../workload/index.ts";
import { runSession } from "../run-session.ts";
import type { RunSpec, Transport } from "../run-spec.ts";

/** The nth of the runs by which determinism is measured: profiles, memories and faults in turn, in a window that makes short sessions compact. */
function determinismSpec(nth: number, rounds: number, transport: Transport): RunSpec {
  const memory = summariserProfileNames[nth % summariserProfileNames.length] ?? "typical";
  return {
    scenario: `determinism-${nth}`,
    seed: String(nth + 1),
    session: {
      profile: profileNames[nth % profileNames.length] as ProfileName,
      rounds,
      summariser: memory,
      noteTaker: memory === "perfect" ? "perfect" : "typical",
    },
    model: { id: "claude-sonnet-4-6", fallback: null, provider: "anthropic", window: 60_000, trueWindow: null },
    strategy: { name: nth % 4 === 3 ? "clear-tool-results" : "four-layer", config: {}, env: {} },
    faults: [
      { id: "busy", kind: "overloaded", match: { source: "main", nth: 3 } },
      { id: "cut", kind: "stream-cut", match: { source: "main", nth: 6 } },
      { id: "stall", kind: "stream-stall", match: { source: "main", nth: 9 }, with: { seconds: 40 } },
    ],
    toolFaults: [{ id: "flood", kind: "tool-oversized", match: { tool: "Bash", nth: 2 }, chars: 90_000 }],
    user: [],
    transport,
  };
}

/** Hashes of the runs `from`, `from + step`, … below `runs`, by their number. */
export async function determinismHashes(
  share: { readonly runs: number; readonly from: number; readonly step: number },
  rounds: number,
  transport: Transport,
): Promise<Readonly<Record<string, string>>> {
  const hashes: Record<string, string> = {};
  for (let nth = share.from; nth < share.runs; nth += share.step) {
    const { footer } = await runSession(determinismSpec(nth, rounds, transport));
    hashes[nth] = footer.hash;
  }
  return hashes;
}

/** One hash of all the runs, in the order of their numbers. */
export function hashOfRuns(hashes: Readonly<Record<string, string>>): string {
  const hash = createStableHash();
  const numbers = Object.keys(hashes).map(Number);
  for (const nth of numbers.sort((a, b) => a - b)) hash.add(`${nth} ${hashes[nth]}`);
  return hash.digest();
}
