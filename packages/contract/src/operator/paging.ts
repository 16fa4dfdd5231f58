/** The query and the answer of lists that are read page by page. */
import * as v from 'valibot';

/** The query of every list: `cursor` is the `nextCursor` of the page before, `limit` the most rows of a page. */
export const pageEntries = {
  /** Continues after the page that answered this `nextCursor`. Absent: the first page. @example "WyJyZXZpZXdzIl0" */
  cursor: v.optional(v.string()),
  /** The most rows of the page, from 1 to 200. @example "50" */
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,3}$/, 'a whole number from 1 to 200'),
      v.transform(Number),
      v.minValue(1),
      v.maxValue(200),
    ),
    '50',
  ),
};

/** The query of a list without filters. */
export const pageQuery = v.strictObject(pageEntries);
export type PageQuery = v.InferOutput<typeof pageQuery>;

/** The answer of a list: its rows and `nextCursor`. The last page has no `nextCursor`. */
export function pageSchema<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.object({
    ...entries,
    /** The `cursor` of the next page. Absent: this is the last page. @example "WyJyZXZpZXdzIl0" */
    nextCursor: v.optional(v.string()),
  });
}
