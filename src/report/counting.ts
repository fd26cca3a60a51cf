export function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

/** The largest, 0 for none. */
export function most(values: readonly number[]): number {
  return values.reduce((largest, value) => Math.max(largest, value), 0);
}

/** How often each name occurs, in the order of first occurrence. */
export function tally<T>(items: readonly T[], name: (item: T) => string): Map<string, number> {
  return new Map([...groupBy(items, name)].map(([key, group]) => [key, group.length]));
}

/** Items by name, in the order of first occurrence. */
export function groupBy<T>(items: readonly T[], name: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(name(item));
    if (group === undefined) groups.set(name(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** The value below which a share of all lies, by nearest rank; null for none. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

/**
 * At most so many items, in order: of each stretch the one of largest weight, so that peaks stay.
 * The same list when it is short enough; the first and the last item are always kept.
 */
export function thin<T>(items: readonly T[], atMost: number, weight: (item: T) => number): readonly T[] {
  if (items.length <= atMost) return items;
  const stretches = atMost - 2;
  const inner = items.length - 2;
  const kept: T[] = [items[0] as T];
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = 1 + Math.floor((stretch * inner) / stretches);
    const to = 1 + Math.floor(((stretch + 1) * inner) / stretches);
    const candidates = items.slice(from, to);
    kept.push(candidates.reduce((best, item) => (weight(item) > weight(best) ? item : best)));
  }
  kept.push(items.at(-1) as T);
  return kept;
}
