/** Reads what a company sent. Every function throws an Error that names the place, and never the value, which may be personal data. */

export type JsonRecord = Readonly<Record<string, unknown>>;

/** @param place for the message, such as `the payment` */
export function recordOf(value: unknown, place: string): JsonRecord {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonRecord;
  throw new Error(`${place} is no object`);
}

/** The objects of a list. */
export function recordsOf(value: unknown, place: string): readonly JsonRecord[] {
  if (!Array.isArray(value)) throw new Error(`${place} is no list`);
  return value.map((item) => recordOf(item, `an item of ${place}`));
}

/** @param form what the text must match; absent: any text that is not empty */
export function textIn(record: JsonRecord, name: string, form = /./): string {
  const value = record[name];
  if (typeof value === 'string' && form.test(value)) return value;
  throw new Error(`${name} is no text of the expected form`);
}

/** A time as ISO 8601 in UTC. */
export function timeIn(record: JsonRecord, name: string): string {
  const time = new Date(textIn(record, name));
  if (Number.isNaN(time.getTime())) throw new Error(`${name} is no time`);
  return time.toISOString();
}

/** A number as the company wrote it, whole or not. */
export function numberIn(record: JsonRecord, name: string): number {
  const value = record[name];
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new Error(`${name} is no number`);
}
