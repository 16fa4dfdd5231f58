/** Pages of an operator's lists. The cursor is opaque to the operator; it holds a position in the order of one list. */
import { isOfCalendar } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { DomainError } from '../errors/domain-error.ts';
import { NOT_OF_SHAPE } from './invalid-request.ts';

/** A cursor that is none of the list's. */
export class CursorError extends DomainError {
  constructor() {
    const message = 'Give the nextCursor of an earlier page of this list.';
    super('invalid-request', NOT_OF_SHAPE, { fields: [{ path: 'cursor', message }] });
  }
}

/** A page, and where the next one begins. */
interface Page<Row> {
  readonly page: readonly Row[];
  readonly next: { readonly nextCursor?: string };
}

const momentForm = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d{1,6})?[+-](?:0\d|1[0-4])(?::[0-5]\d)?$/;

/** A time as the database writes it, in microseconds. A `Date` has only milliseconds, and a page would lose rows. */
const moment = v.pipe(v.string(), v.regex(momentForm), v.check(isOfCalendar));

/** The number of an account: above zero, as text since it may be too big for a `number`. */
const accountNumber = v.pipe(v.string(), v.regex(/^[1-9]\d{0,17}$/));

/** An order by time, and for the same time by id. */
export const momentAndId = v.strictObject({
  at: moment,
  id: v.pipe(v.string(), v.uuid()),
});
/** An order by ids that begin with their time. */
export const idAlone = v.strictObject({ id: v.pipe(v.string(), v.uuid()) });
export const momentAndAccount = v.strictObject({ at: moment, account: accountNumber });
/** The SHA-256 of a report's own id, which may hold any character. */
const reportIdSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
export const momentAndReport = v.strictObject({ at: moment, report: reportIdSchema });
/** An order by a place that the database counts, above zero. */
export const placeAlone = v.strictObject({ place: accountNumber });
/** An order by the version of settings. */
export const versionAlone = v.strictObject({
  version: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(999_999_999)),
});
export const accountAlone = v.strictObject({ account: accountNumber });

/**
 * A list that is read page by page.
 * @param name marks the cursors of this list, since another list has another order; it never changes
 * @param place the part of a row that is its position in the list's order
 */
export function pagedList<Place>(name: string, place: v.GenericSchema<unknown, Place>) {
  const cursorSchema = v.strictTuple([v.literal(name), place]);
  return {
    /**
     * Where a page begins. Undefined without a cursor: at the list's beginning.
     * @throws CursorError where the cursor is no `nextCursor` of this list
     */
    placeOf(cursor: string | undefined): Place | undefined {
      if (cursor === undefined) return undefined;
      const read = v.safeParse(cursorSchema, decoded(cursor));
      if (read.success) return read.output[1];
      throw new CursorError();
    },
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

/** Undefined for a text that is not JSON in base64url. */
function decoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
