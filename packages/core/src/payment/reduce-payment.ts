/** Reports that money came. The expected amount is credited; every other amount goes into suspense for staff. */
import { depositStateOnPayment, judgeDepositMove } from '../deposit/deposit-lifecycle.ts';
import { type DepositAggregate, type DepositFacts, NO_USER, ownPayment, type ReviewReason } from './aggregate.ts';
import {
  contradiction,
  effects,
  type Money,
  moneyOf,
  NO_CHANGE,
  type PaymentReport,
  unmatched,
  type Verdict,
} from './report.ts';

/**
 * Decides a report that money came (SRV-2, SRV-3).
 * @param report of outcome `paid`
 */
export function reducePayment(aggregate: DepositAggregate, report: PaymentReport): Verdict {
  const { deposit, payments } = aggregate;
  const money = moneyOf(report);
  if (typeof money === 'string') return unmatched(money);
  if (deposit.providerRef !== null && deposit.providerRef !== report.providerRef) {
    // The payer paid more than once. Several events may report the same payment.
    if (payments.some(({ ref }) => ref === report.providerRef)) return NO_CHANGE;
    return effects({ kind: 'receive', origin: 'further', reason: 'second-payment', ...money });
  }
  const own = ownPayment(aggregate);
  const to = depositStateOnPayment(deposit.state);
  if (own !== undefined || to === undefined) {
    const isSame = own?.amount === money.amount && own.asset === money.asset;
    return isSame ? NO_CHANGE : contradiction('paid-amount-changed');
  }
  if (to === 'late_paid') {
    const reason = lateReason(deposit, money);
    return effects({ kind: 'receive', origin: 'deposit', reason, ...money }, { kind: 'move', to });
  }
  const reason = money.asset === deposit.currency ? reasonOfAmount(deposit, money.amount) : 'wrong-currency';
  if (reason === undefined) return effects({ kind: 'receive', origin: 'deposit', ...money }, { kind: 'move', to });
  const held = judgeDepositMove(deposit.state, 'detected') === 'move' ? 'detected' : deposit.state;
  return effects({ kind: 'receive', origin: 'deposit', reason, ...money }, { kind: 'move', to: held });
}

function lateReason({ userId, currency }: DepositFacts, { asset }: Money): ReviewReason {
  if (userId === NO_USER) return 'unassigned';
  return asset === currency ? 'late' : 'wrong-currency';
}

/**
 * Why staff must review a paid amount; undefined: it is credited (CRY-1).
 *
 * An open amount is credited between the asked amount and the method's maximum. The maximum stops a report with some
 * zeros too many. Any other deposit is credited only with exactly the asked amount.
 */
function reasonOfAmount(
  { amount: asked, isOpenAmount, openMaximum }: DepositFacts,
  paid: bigint,
): ReviewReason | undefined {
  if (isOpenAmount) {
    if (paid < asked) return 'below-minimum';
    return openMaximum !== null && paid > openMaximum ? 'above-maximum' : undefined;
  }
  if (paid === asked) return undefined;
  return paid < asked ? 'underpaid' : 'overpaid';
}
