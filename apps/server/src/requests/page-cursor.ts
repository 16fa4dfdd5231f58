/** Pages of an operator's lists. Where one ended is opaque to the operator; to us it is a place in the order of that list alone. */
import * as v from 'valibot';
import { isOfCalendar } from './asked-instant.ts';

/** A page, and where the next one begins. */
interface Page<Row> {
  readonly page: readonly Row[];
  readonly next: { readonly nextCursor?: string };
}

const momentForm = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d{1,6})?[+-](?:0\d|1[0-4])(?::[0-5]\d)?$/;

/** As the database writes it, with the microseconds that a Date has not: a page must not lose what happened within one millisecond. */
const moment = v.pipe(v.string(), v.regex(momentForm), v.check(isOfCalendar));

/** Of an account: a number above zero, as text since it may be too big for a `number`. */
const accountNumber = v.pipe(v.string(), v.regex(/^[1-9]\d{0,17}$/));

/** By time; what happened at once, by its id. */
export const momentAndId = v.strictObject({
  at: moment,
  id: v.pipe(v.string(), v.uuid()),
});
export const momentAndAccount = v.strictObject({ at: moment, account: accountNumber });
/** A report's own name may hold any sign; this is its SHA-256. */
const reportIdSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
export const momentAndReport = v.strictObject({ at: moment, report: reportIdSchema });
export const accountAlone = v.strictObject({ account: accountNumber });

/**
 * A list that is read page by page: the entries of its query, and its pages.
 * @param name tells its cursors from those of other lists, where the same place would be another one; never changed
 * @param place what of a row says where it stands in the list's order
 */
export function pagedList<Place>(name: string, place: v.GenericSchema<unknown, Place>) {
  const cursorSchema = v.strictTuple([v.literal(name), place]);
  const entries = {
    cursor: v.optional(
      v.pipe(
        v.string(),
        v.rawTransform(({ dataset, addIssue, NEVER }): Place => {
          const read = v.safeParse(cursorSchema, decoded(dataset.value));
          if (read.success) return read.output[1];
          addIssue({
            expected: 'the nextCursor of an earlier page of this list',
            message: 'Not a cursor of this list.',
          });
          return NEVER;
        }),
      ),
    ),
    limit: v.optional(
      v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), v.minValue(1), v.maxValue(200)),
      '50',
    ),
  };
  return {
    entries,
    /** The query of a list that has no other entries. */
    query: v.strictObject(entries),
    /** The answer: the list's own entry, and where the next page begins; `nextCursor` is absent on the last page. */
    page: <Entries extends v.ObjectEntries>(shown: Entries) =>
      v.object({ ...shown, nextCursor: v.optional(v.string()) }),
    /** @param rows in the list's order; one more than `limit` was asked for, so that it is known whether there is a next page */
    pageOf<Row>(rows: readonly Row[], limit: number, placeOf: (row: Row) => Place): Page<Row> {
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return { page, next: last && rows.length > limit ? { nextCursor: encoded([name, placeOf(last)]) } : {} };
    },
  };
}

function encoded(cursor: unknown): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** Undefined where it is none of ours. */
function decoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
