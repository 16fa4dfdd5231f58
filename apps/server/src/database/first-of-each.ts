/** The first item of each key. One statement cannot write a row twice, so the later items of a key are left out. */
export function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const first = new Map<string, Item>();
  for (const item of items) {
    const key = keyOf(item);
    if (!first.has(key)) first.set(key, item);
  }
  return first.size === items.length ? items : [...first.values()];
}
