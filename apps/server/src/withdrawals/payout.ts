/** Withdrawals of which something else arrives than what leaves the balance: redeemed sweep coins (SWP-2), coins of money (WD-2). */
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import type { Queryable, Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { type AccountName, lockUserBalance, type PostingLine } from '../ledger/ledger.ts';
import type { PaymentsCore } from '../lifecycle/payments-core.ts';
import { coinState } from '../sweepstake/coin-balances.ts';
import type { AgreedPayout } from '../sweepstake/redemptions.ts';
import type { ValidWithdrawal } from './validate-withdrawal.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';
import type { CreateWithdrawal } from './withdrawals.ts';

type PaidOut = Pick<WithdrawalRow, 'currency' | 'amount' | 'fee' | 'payoutCurrency' | 'payoutAmount'>;

/** What arrives, in minor units of its own currency. */
export function arrivesOf(row: PaidOut): { readonly currency: string; readonly minor: bigint } {
  return row.payoutCurrency === null || row.payoutAmount === null
    ? { currency: row.currency, minor: row.amount - row.fee }
    : { currency: row.payoutCurrency, minor: row.payoutAmount };
}

/**
 * The lines by which what was kept of the balance, without its fee, becomes what arrives, on the account of `target`. Redeemed
 * sweep coins go back to where they come from, and what is paid for them is the operator's expense; of money both sides stand on
 * the account of conversions.
 */
export function payoutLines(row: PaidOut, target: Omit<AccountName, 'asset'>): readonly PostingLine[] {
  const { currency, minor } = arrivesOf(row);
  const paid: PostingLine = { ...target, asset: currency, amount: minor };
  if (row.payoutCurrency === null) return [paid];
  const isRedeemed = row.currency === SWEEP_COIN;
  return [
    { owner: '', asset: row.currency, kind: isRedeemed ? 'coin_issue' : 'conversion', amount: row.amount - row.fee },
    paid,
    { owner: '', asset: currency, kind: isRedeemed ? 'coin_redemption' : 'conversion', amount: -minor },
  ];
}

/**
 * What arrives in another currency, by the quote that was on screen; undefined where what leaves the balance arrives itself.
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

/** As {@link agreedPayout} looked, with the account locked until the coins are held. @throws DomainError playthrough-required */
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
  // More than there is at all is another matter, which the hold itself refuses.
  if (amount <= redeemable || amount > balance) return;
  const write = (minor: bigint): string => toDecimalString(minor, decimalsOf(SWEEP_COIN));
  const params = { max: write(redeemable), unplayed: write(unplayed) };
  throw new DomainError('playthrough-required', 'A part of the coins must be played first', { params });
}
