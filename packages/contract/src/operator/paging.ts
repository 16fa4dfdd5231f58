/** Lists that are read page by page. */
import * as v from 'valibot';

/** What the query of every list takes: where the page begins, and how many rows it has. */
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

/** The answer of a list: its rows, and `nextCursor`, which is absent on the last page. */
export function pageSchema<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.object({ ...entries, nextCursor: v.optional(v.string()) });
}
