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
