/** Where a page of an operator's list ended: opaque to the operator, a place in (created, id) to us. */
import * as v from 'valibot';

export interface Cursor {
  /** With the microseconds that a Date has not: a page must not lose what happened within one millisecond. */
  readonly created: string;
  readonly id: string;
}

/** What a list is asked for: so many from a place on, or from its beginning. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: Cursor | undefined;
}

/**
 * A page of a list, and where the next one begins.
 * @param rows in the list's order; one more than `limit` was asked for, so that it is known whether there is a next page
 * @param placeOf where a row stands in the order
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => Cursor,
): { readonly page: readonly Row[]; readonly next: { readonly nextCursor?: string } } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, next: last && rows.length > limit ? { nextCursor: formatCursor(placeOf(last)) } : {} };
}

function formatCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify([cursor.created, cursor.id])).toString('base64url');
}

const createdForm = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d{1,6})?[+-]\d{2}(?::\d{2})?$/;
const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads a cursor that {@link pageOf} made; `undefined` for any other text. */
function parseCursor(text: string): Cursor | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(parts)) return undefined;
    const [created, id] = parts as unknown[];
    if (typeof created !== 'string' || typeof id !== 'string') return undefined;
    return createdForm.test(created) && idForm.test(id) ? { created, id } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The `cursor` and `limit` of every list. */
export const pageEntries = {
  cursor: v.optional(
    v.pipe(
      v.string(),
      v.rawTransform(({ dataset, addIssue, NEVER }) => {
        const cursor = parseCursor(dataset.value);
        if (cursor) return cursor;
        addIssue({ message: 'Not a cursor of an earlier page.' });
        return NEVER;
      }),
    ),
  ),
  limit: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), v.minValue(1), v.maxValue(200)),
    '50',
  ),
};
