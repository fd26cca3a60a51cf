import { asksForGoal, asksToGoOn } from "./answer.ts";
import { mostRestatements } from "./assumptions.ts";
import type { Ledger } from "./ledger.ts";
import type { Plan } from "./plan.ts";
import type { SimulatedUser, UserAction } from "./workload.ts";

/**
 * The user (M6): follows the script; tells a model that has lost its goal what it was; and, when the script is over and something is left,
 * asks for it again, a bounded number of times.
 */
export function createUser(plan: Plan, script: readonly UserAction[], ledger: Ledger): SimulatedUser {
  let at = 0;
  let repeated = 0;
  const repeat = (why: "restate" | "nudge", open: readonly number[]): UserAction => {
    repeated++;
    const goals = why === "restate" ? open.flatMap((goal) => plan.goals[goal] ?? []) : [];
    const text =
      why === "nudge"
        ? "Yes, please go on."
        : `As I said before:\n${goals.map((goal) => `- ${plan.facts[goal.fact]?.sentence}`).join("\n")}`;
    return { kind: "say", content: [{ type: "text", text }], goals: goals.map(({ id }) => id), why };
  };
  return {
    next: (lastText) => {
      const open = ledger.openGoals();
      const mayRepeat = open.length > 0 && repeated < mostRestatements;
      if (lastText?.includes(asksForGoal) && mayRepeat) return repeat("restate", open);
      const action = script[at];
      if (action !== undefined) {
        at++;
        return action;
      }
      if (!mayRepeat) return null;
      return repeat(lastText?.includes(asksToGoOn) ? "nudge" : "restate", open);
    },
  };
}
