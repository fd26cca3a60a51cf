export { type Clock, type Forked, systemClock } from "./clock.ts";
export { createRng, type Rng } from "./rng.ts";
export { canonicalJson, createStableHash, type StableHash, stableHash } from "./stable-hash.ts";
export { createVirtualClock, Deadlock, type VirtualClock } from "./virtual-clock.ts";
