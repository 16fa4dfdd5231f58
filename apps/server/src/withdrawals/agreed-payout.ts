/**
 * Withdrawals paid in another currency than the balance: redeemed sweep coins (SWP-2), and money paid out in crypto
 * (WD-2).
 */
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import type { Queryable, Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { lockUserBalance } from '../ledger/ledger.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { coinState } from '../sweepstake/coin-balances.ts';
import type { AgreedPayout } from '../sweepstake/redemptions.ts';
import type { ValidWithdrawal } from './validate-withdrawal.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';
import type { CreateWithdrawal } from './withdrawals.ts';

/**
 * The payout in another currency, by the quote that the user saw. Undefined when the payout is in the balance's
 * currency.
 * @throws DomainError playthrough-required, rate-stale, limit-min, method-unavailable
 */
export async function agreedPayout(
  core: PaymentsCore,
  { caller, request }: CreateWithdrawal,
  { method, amountMinor }: ValidWithdrawal,
): Promise<AgreedPayout | undefined> {
  const { currency, quote } = request;
  const isSweep = currency === SWEEP_COIN;
  if (!isSweep && (method.payoutCurrency ?? currency) === currency) return undefined;
  if (method.payoutCurrency === undefined || core.redemptions === undefined) {
    throw new DomainError('method-unavailable', `${currency} cannot be paid out by ${method.name}`);
  }
  if (isSweep) await requirePlayed(core.database, caller, amountMinor);
  return core.redemptions.agree(quote, {
    caller,
    from: currency,
    amountMinor,
    fee: method.fees?.[currency],
    currency: method.payoutCurrency,
  });
}

/**
 * Repeats the playthrough check of {@link agreedPayout} under the lock of the account, until the coins are held.
 * @throws DomainError playthrough-required
 */
export async function requirePlayedAtHold(transaction: Transaction, row: WithdrawalRow): Promise<void> {
  if (row.currency !== SWEEP_COIN) return;
  await lockUserBalance(transaction, row.operatorId, row.userId, row.currency);
  await requirePlayed(transaction, row, row.amount);
}

async function requirePlayed(
  queryable: Queryable,
  { operatorId, userId }: { readonly operatorId: string; readonly userId: string },
  amount: bigint,
): Promise<void> {
  const { balance, unplayed, redeemable } = await coinState(queryable, operatorId, userId, SWEEP_COIN);
  // The hold itself refuses an amount above the balance, with another error.
  if (amount <= redeemable || amount > balance) return;
  const write = (minor: bigint): string => toDecimalString(minor, decimalsOf(SWEEP_COIN));
  const params = { max: write(redeemable), unplayed: write(unplayed) };
  throw new DomainError('playthrough-required', 'A part of the coins must be played first', { params });
}
