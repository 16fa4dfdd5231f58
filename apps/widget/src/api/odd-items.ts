/** Reads a list of which some items cannot be read: one odd item never takes the others away. */
import * as v from 'valibot';

export interface ReadList {
  readonly output: unknown;
  /** Where the skipped items stood, such as `methods.3.name`. Never what was in them. */
  readonly skipped: readonly string[];
}

/** A list of which more items are odd is of another version altogether. */
const MOST_SKIPPED = 500;
/** An item may bring another fault to light in the list that it stood in. */
const MOST_ROUNDS = 3;

/** An answer without the items at fault; undefined where something else is at fault, or too much. */
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

/** The item of a list that an issue lies in: a word by itself, such as a name in a group; else the outermost one, as a method whose field is odd. */
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
