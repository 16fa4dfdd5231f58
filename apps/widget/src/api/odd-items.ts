/** Reads a list without its odd items, which are those that do not match the schema. The other items are kept. */
import * as v from 'valibot';

export interface ReadList {
  readonly output: unknown;
  /** Places of the skipped items, such as `methods.3.name`, without their content. */
  readonly skipped: readonly string[];
}

/** With more odd items the answer is of another version of the contract. */
const MOST_SKIPPED = 500;
/** Without an item, its list may show another fault, such as being too short. */
const MOST_ROUNDS = 3;

/** Reads an answer without its odd items; undefined when anything but an item is wrong, or too many items are. */
export function readWithoutOddItems(schema: v.GenericSchema, data: unknown): ReadList | undefined {
  const skipped: string[] = [];
  let left = structuredClone(data);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const parsed = v.safeParse(schema, left);
    if (parsed.success) return { output: parsed.output, skipped };
    const odd = parsed.issues.map(itemOf);
    if (odd.some((item) => item === undefined) || skipped.length + odd.length > MOST_SKIPPED) return undefined;
    skipped.push(...new Set(parsed.issues.map((issue) => v.getDotPath(issue) ?? '')));
    left = without(left, new Set(odd.flatMap((item) => item ?? [])));
  }
  return undefined;
}

/**
 * The item that is skipped for an issue. It is the value itself when that is a plain item, such as a name in a group. Else it
 * is the outermost item, such as the method whose field does not match.
 */
function itemOf({ path, input }: v.BaseIssue<unknown>): string | undefined {
  const keys = path?.map(({ key }) => key) ?? [];
  const last = keys.length - 1;
  const isWord = typeof keys[last] === 'number' && (typeof input !== 'object' || input === null);
  const end = isWord ? last : keys.findIndex((key) => typeof key === 'number');
  return end < 0 ? undefined : JSON.stringify(keys.slice(0, end + 1));
}

function without(value: unknown, odd: ReadonlySet<string>, at: readonly (string | number)[] = []): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      const place = [...at, index];
      return odd.has(JSON.stringify(place)) ? [] : [without(item, odd, place)];
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, without(item, odd, [...at, key])]));
}
