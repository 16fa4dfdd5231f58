/** Finds the row that a provider's report is about. Pure, so that tests can try every order of reports. */
import type { DepositAggregate } from './aggregate.ts';
import { reduceDeposit } from './reduce-deposit.ts';
import { reduceDispute } from './reduce-dispute.ts';
import { reducePayment } from './reduce-payment.ts';
import { reduceReturned } from './reduce-returned.ts';
import { contradictionOf, type PaymentReport, unmatched, type Verdict } from './report.ts';

/** Decides what a report changes, or why it is unmatched (SRV-2, SRV-3). */
export function reduceReport(aggregate: DepositAggregate, report: PaymentReport): Verdict {
  const disagrees = contradictionOf(aggregate.deposit, report);
  if (disagrees !== undefined) return unmatched(disagrees);
  switch (report.outcome) {
    case 'paid':
      return reducePayment(aggregate, report);
    case 'reversed':
      return reduceDispute(aggregate, report);
    case 'returned':
      return reduceReturned(aggregate, report);
    default:
      return reduceDeposit(aggregate, report);
  }
}
