/** The number of unmatched events by provider, as a query of the snapshot. */
import { countUnmatched } from '../operator-api/reports/unmatched-reports.ts';
import type { ExtraQuery } from './snapshot.ts';

export const unmatchedQuery: ExtraQuery = {
  name: 'unmatched-reports',
  async read(queryable) {
    const counts = await countUnmatched(queryable);
    return counts.map(({ provider, reports }) => {
      return { gauge: 'cashier_unmatched_reports', labels: { provider }, value: reports };
    });
  },
};
