import type { Rng } from "../determinism/index.ts";
import { stableHash } from "../determinism/index.ts";

/**
 * `length` hexadecimal digits that belong to a stream and a name: the same for the same, and no draw is made, so nothing moves and nothing is
 * spent on a generator. For ids and signatures.
 */
export function digitsOf(stream: Pick<Rng, "path">, name: string, length: number): string {
  let digits = "";
  for (let part = 0; digits.length < length; part++) digits += stableHash(`${stream.path}/${name}/${part}`);
  return digits.slice(0, length);
}
