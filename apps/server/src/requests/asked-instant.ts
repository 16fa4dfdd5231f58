/** Instants that a request names. */
import { instantSchema } from '@opencashier/contract/api';
import * as v from 'valibot';

/**
 * Whether a date exists: the 30th of February does not. The database would fail for such a date, and the caller would get an error
 * of the server.
 */
export function isOfCalendar(text: string): boolean {
  const second = text.slice(0, 'yyyy-mm-dd hh:mm:ss'.length).replace(' ', 'T');
  const read = new Date(`${second}Z`);
  return !text.startsWith('0000') && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(second);
}

/** No time zone is further from UTC than 14 hours, and the database accepts no greater offset. */
const offsetForm = /(?:Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)$/;

/** An instant that the database can compare with. */
export const askedInstantSchema = v.pipe(
  instantSchema,
  v.check((text) => isOfCalendar(text) && offsetForm.test(text), 'an instant of the calendar'),
);
