// What the three have in common: where the mock is, the models to try, and how a result is told.
export const url = process.env.LONGHAUL_MOCK_URL;
/** One model that takes a thinking budget, and one that binds thinking to its past. */
export const models = [
  { id: "claude-opus-4-6", budget: 2_000 },
  { id: "claude-opus-5-5", budget: null },
];
/** More than a 200K window in any tokenizer. */
export const overflow = "漢字 ".repeat(400_000);

export function expect(name, holds) {
  console.log(`${holds ? "passed" : "FAILED"}  ${name}`);
  if (!holds) process.exitCode = 1;
}

/** The checks of one loop: `rounds` holds, for each answer that called tools, how many it called and whether it had thought. */
export function expectLoop(name, rounds, lastText) {
  expect(
    `${name}: a loop of ten rounds, and its end`,
    rounds.length === 10 && lastText.includes("All 10 rounds are done"),
  );
  expect(`${name}: two tools at once in every round`, rounds.length > 0 && rounds.every(({ calls }) => calls === 2));
  expect(`${name}: thinking in every round`, rounds.length > 0 && rounds.every(({ thought }) => thought));
}
