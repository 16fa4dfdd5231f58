/** What is left of a file of settings when its parts of a wrong shape are taken out, so that the rest can be checked as well. */
import * as v from 'valibot';

/** The sound part of a file. */
export interface SoundPart<Content> {
  readonly content: Content;
  /** Paths of what was taken out, such as `methods.card`. */
  readonly removed: readonly string[];
  /** Paths of what had an unknown field, such as `groups.own`. A field that seems to be missing there may be misspelt. */
  readonly misspelt: readonly string[];
}

type Keys = readonly (string | number)[];

/**
 * Takes out each unknown field outside of lists, and each named entry with another fault, such as a whole method.
 * @param content as it was parsed; it is not changed
 * @returns undefined where the rest has a wrong shape, too
 */
export function soundPart<Schema extends v.GenericSchema>(
  schema: Schema,
  content: unknown,
  issues: readonly v.BaseIssue<unknown>[],
): SoundPart<v.InferOutput<Schema>> | undefined {
  const rest = structuredClone(content);
  const removed = new Set<string>();
  const misspelt = new Set<string>();
  for (const issue of issues) {
    const path = (issue.path ?? []).map(({ key }) => key as string | number);
    const isInList = path.some((key) => typeof key === 'number');
    const isUnknown = issue.kind === 'schema' && issue.expected === 'never' && !isInList;
    const part = isUnknown ? path : entryOf(content, path);
    if (part.length === 0) return undefined;
    remove(rest, part);
    // An unknown field of an entry has no meaning, so the entry is whole without it.
    if (!isUnknown || path.length === 1) removed.add(part.join('.'));
    else misspelt.add(path.slice(0, -1).join('.'));
  }
  const parsed = v.safeParse(schema, rest);
  return parsed.success ? { content: parsed.output, removed: [...removed], misspelt: [...misspelt] } : undefined;
}

/** The named entry that a path leads into. The places in a list would change, so a list goes as a whole. */
function entryOf(content: unknown, [section, name]: Keys): Keys {
  if (section === undefined) return [];
  const inside = isRecord(content) ? content[section] : undefined;
  return name === undefined || !isRecord(inside) ? [section] : [section, name];
}

function remove(content: unknown, path: Keys): void {
  const owner = path.slice(0, -1).reduce<unknown>((node, key) => (isRecord(node) ? node[key] : undefined), content);
  const last = path.at(-1);
  if (isRecord(owner) && last !== undefined) delete owner[last];
}

function isRecord(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
