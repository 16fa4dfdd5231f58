/** The query and the answer of lists that are read page by page. */
import * as v from 'valibot';

/** The query of every list: `cursor` is the `nextCursor` of the page before, `limit` the most rows of a page. */
export const pageEntries = {
  cursor: v.optional(v.string()),
  limit: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), v.minValue(1), v.maxValue(200)),
    '50',
  ),
};

/** The query of a list without filters. */
export const pageQuery = v.strictObject(pageEntries);
export type PageQuery = v.InferOutput<typeof pageQuery>;

/** The answer of a list: its rows and `nextCursor`. The last page has no `nextCursor`. */
export function pageSchema<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.object({ ...entries, nextCursor: v.optional(v.string()) });
}
