/** Reports to the host's engineers about the host's messages. A report names places in the data, never their content. */
import type { WidgetErrorCode } from '@opencashier/contract/host';
import type { Clock } from '@opencashier/core/time/clock';

export type Report = (code: WidgetErrorCode, message: string) => void;

/** A report names at most this many places. */
const MOST_PLACES = 10;
const floodReportEveryMs = 60_000;

/** Places in data, such as `methods.3.name`, in one line. */
export function namedPlaces(places: readonly string[]): string {
  const rest = places.length - MOST_PLACES;
  return places.slice(0, MOST_PLACES).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** @param defaulted names of fields; nothing is reported when there is none */
export function reportDefaulted(report: Report, defaulted: readonly string[]): void {
  if (defaulted.length > 0) {
    report('host-field-defaulted', `Fields of a wrong type took their defaults: ${defaulted.join(', ')}.`);
  }
}

/** @param skipped places of bonuses that could not be read; undefined when all could */
export function reportSkippedBonuses(report: Report, skipped: readonly string[] | undefined): void {
  if (skipped !== undefined) report('host-field-defaulted', `Bonuses were skipped: ${namedPlaces(skipped)}.`);
}

/** Reports dropped messages at most once a minute, because a report for each would be a flood, too. */
export function createFloodReport(clock: Clock, report: Report): () => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock.now() - reportedAt < floodReportEveryMs) return;
    reportedAt = clock.now();
    report('host-flood', 'Messages over the limit of size or rate were dropped.');
  };
}
