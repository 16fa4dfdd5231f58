/** Which part of a provider's report is a fact. A provider may repeat an event with another time and other texts. */

interface Repeatable {
  readonly at: string;
  readonly reason?: string | undefined;
  readonly cause?: string | undefined;
  readonly message?: string | undefined;
}

/** The fields that may differ when an event is repeated, as an array of texts in SQL. Equal to those that `factsOf` leaves out. */
export const VARYING_FIELDS = `'{at,reason,cause,message}'::text[]`;

/** The facts of a report, in the order in which it has them. */
export function factsOf<Report extends Repeatable>(report: Report): Omit<Report, keyof Repeatable> {
  const { at: _at, reason: _reason, cause: _cause, message: _message, ...facts } = report;
  return facts;
}
