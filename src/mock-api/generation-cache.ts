/**
 * A map that forgets: holds at least the last `limit` (by weight) of what was set or read, at most twice that. O(1) a call.
 * Method: two generations; when the young one is full it becomes the old one, and what is read there comes back.
 */
export class GenerationCache<K, V> {
  readonly #limit: number;
  #young: Map<K, Held<V>> = new Map();
  #old: Map<K, Held<V>> = new Map();
  #weight = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young.value;
    const old = this.#old.get(key);
    if (old !== undefined) this.#add(key, old);
    return old?.value;
  }

  set(key: K, value: V, weight = 1): void {
    this.#add(key, { value, weight });
  }

  #add(key: K, held: Held<V>): void {
    this.#young.set(key, held);
    this.#weight += held.weight;
    if (this.#weight <= this.#limit) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#weight = 0;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }
}

interface Held<V> {
  readonly value: V;
  readonly weight: number;
}
