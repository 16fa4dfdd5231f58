/** Money came: credited where it is what was asked for, else kept in suspense for staff. Nothing that came is dropped. */
import { depositStateOnPayment, judgeDepositMove } from '../deposit/deposit-lifecycle.ts';
import { type DepositAggregate, type DepositFacts, NOBODY, ownPayment, type ReviewReason } from './aggregate.ts';
import {
  contradiction,
  effects,
  KNOWN,
  type Money,
  moneyOf,
  type PaymentReport,
  unmatched,
  type Verdict,
} from './report.ts';

/** @param report of outcome `paid` */
export function reducePayment(aggregate: DepositAggregate, report: PaymentReport): Verdict {
  const { deposit, payments } = aggregate;
  const money = moneyOf(report);
  if (typeof money === 'string') return unmatched(money);
  if (deposit.providerRef !== null && deposit.providerRef !== report.providerRef) {
    // The provider holds more money for this deposit. Several events may report it.
    if (payments.some(({ ref }) => ref === report.providerRef)) return KNOWN;
    return effects({ kind: 'receive', origin: 'further', reason: 'second-payment', ...money });
  }
  const own = ownPayment(aggregate);
  const to = depositStateOnPayment(deposit.state);
  if (own !== undefined || to === undefined) {
    const isSame = own?.amount === money.amount && own.asset === money.asset;
    return isSame ? KNOWN : contradiction('paid-amount-changed');
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
  if (userId === NOBODY) return 'unassigned';
  return asset === currency ? 'late' : 'wrong-currency';
}

/**
 * Of an open amount the asked one is the least that is credited, and the method's maximum the most, so that a provider's slip of some
 * zeros pays out to nobody. Of any other amount the asked one is the only one (CRY-1).
 */
function reasonOfAmount(
  { amount: asked, isOpenAmount, openMost }: DepositFacts,
  paid: bigint,
): ReviewReason | undefined {
  if (isOpenAmount) {
    if (paid < asked) return 'below-minimum';
    return openMost !== null && paid > openMost ? 'above-maximum' : undefined;
  }
  if (paid === asked) return undefined;
  return paid < asked ? 'underpaid' : 'overpaid';
}
