/**
 * Carries out the effects that a reducer decided for a locked withdrawal (WD-2, SRV-3). Writes and books the payout,
 * moves the withdrawal, and queues the push and the webhook, all in the caller's transaction.
 */
import type { DeclineCause } from '@opencashier/contract/api';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Payout } from '@opencashier/core/payout/aggregate';
import type { LateDecision, PayoutEffect } from '@opencashier/core/payout/report';
import { declineMessage } from '@opencashier/core/withdrawal/decline-message';
import type { Transaction } from '../database/database.ts';
import { askForDebt } from '../operator-wallet/wallet-debts.ts';
import { bringBack, passOn } from '../operator-wallet/wallet-money.ts';
import type { StoredFailure } from '../payment-ports/provider-failure.ts';
import {
  bearLines,
  bookPayout,
  chargeLines,
  coveredAmount,
  latePaidLines,
  lateReturnLines,
  returnLines,
} from './payout-postings.ts';
import { setPayout } from './payout-store.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';
import { moneyOf, moveWithdrawal, type WithdrawalMove } from './withdrawal-store.ts';

/** The cause of the effects, and the known reason. */
export interface PayoutSource {
  /** For the history: `provider`, `user`, `staff:…`. */
  readonly cause: string;
  readonly providerRef?: string | undefined;
  /** Why the provider declined or returned the payout. The message is made safe before it is stored. */
  readonly reasonFrom?: { readonly cause?: DeclineCause | undefined; readonly message?: string | undefined };
  /** Stored for a retry of the confirm call that the provider refused. */
  readonly failure?: StoredFailure | undefined;
  /** Seconds for which this node may call the provider. */
  readonly busyS?: number | undefined;
  /** Who decided about a late payout. */
  readonly staff?: string;
}

interface Run {
  readonly transaction: Transaction;
  readonly row: WithdrawalRow;
  readonly payout: Payout | undefined;
  readonly source: PayoutSource;
}

/** Results of the effects that run before the move. */
interface Progress {
  readonly payoutId: string | undefined;
  /** The amount that the user paid for a late payout, as a decimal string. */
  readonly charged?: string;
}

/**
 * Carries out effects in their order.
 * @returns the withdrawal afterwards
 */
export async function runPayoutEffects(run: Run, effects: readonly PayoutEffect[]): Promise<WithdrawalRow> {
  let after = run.row;
  let progress: Progress = { payoutId: run.payout?.id };
  for (const effect of effects) {
    if (effect.kind === 'move') after = await move(run, effect, progress);
    else progress = await runEffect(run, effect, progress);
  }
  return after;
}

/** Moves a withdrawal to `submitted_unknown` and creates its payout. The caller then asks the provider to pay. */
export function requestPayout(
  transaction: Transaction,
  row: WithdrawalRow,
  source: PayoutSource,
): Promise<WithdrawalRow> {
  return runPayoutEffects({ transaction, row, payout: undefined, source }, [
    { kind: 'set-payout', to: 'requested' },
    { kind: 'move', to: 'submitted_unknown' },
  ]);
}

type Booking = Exclude<PayoutEffect, { kind: 'move' }>;

async function runEffect(run: Run, effect: Booking, progress: Progress): Promise<Progress> {
  const { transaction, row, source } = run;
  if (effect.kind === 'set-payout') {
    return { payoutId: await setPayout(transaction, row, run.payout, effect.to, source.providerRef) };
  }
  const { payoutId } = progress;
  if (payoutId === undefined) throw new Error(`Withdrawal ${row.id} has no payout to book`);
  switch (effect.kind) {
    case 'book-return':
      await bookPayout(transaction, row, { kind: 'withdrawal_return', payoutId, lines: returnLines(row) });
      await passOn(transaction, { ...moneyOf(row), reason: 'withdrawal-returned' });
      return progress;
    case 'book-late-payout':
      await bookPayout(transaction, row, { kind: 'withdrawal_late_paid', payoutId, lines: latePaidLines(row) });
      return progress;
    case 'book-late-return':
      await bookPayout(transaction, row, { kind: 'withdrawal_late_returned', payoutId, lines: lateReturnLines(row) });
      return progress;
    case 'settle-late-payout':
      return { payoutId, charged: await settleLate(run, payoutId, effect.decision) };
  }
}

/**
 * Books the decision about a late payout.
 * @returns the amount that the user pays, as a decimal string
 */
async function settleLate(
  { transaction, row, source }: Run,
  payoutId: string,
  decision: LateDecision,
): Promise<string> {
  if (decision === 'charge') await bringBack(transaction, { ...moneyOf(row), reason: 'late-payout' });
  const covered = decision === 'charge' ? await coveredAmount(transaction, row) : 0n;
  await bookPayout(transaction, row, {
    kind: 'withdrawal_late_settled',
    payoutId,
    lines: decision === 'charge' ? chargeLines(row, covered) : bearLines(row),
    note: `decided by ${source.staff}: ${decision}`,
  });
  if (decision === 'charge' && covered < row.amount) {
    const { operatorId, userId, currency, amount, id: withdrawalId } = row;
    const owed = { operatorId, userId, currency, amount: amount - covered };
    await askForDebt(transaction, { ...owed, reason: 'late-payout', withdrawalId });
  }
  return toDecimalString(covered, decimalsOf(row.currency));
}

function move(
  { transaction, row, source }: Run,
  { to, reason, isDecline = false }: Extract<PayoutEffect, { kind: 'move' }>,
  { payoutId, charged }: Progress,
): Promise<WithdrawalRow> {
  const { cause, providerRef, failure, busyS } = source;
  return moveWithdrawal(transaction, row, {
    to,
    cause,
    ...(payoutId !== undefined && { payoutId }),
    ...(providerRef !== undefined && { providerRef }),
    ...(reason !== undefined && { reason }),
    ...(isDecline && declineOf(source)),
    ...(failure !== undefined && { failure }),
    ...(busyS !== undefined && { busyS }),
    ...(charged !== undefined && { charged }),
  });
}

function declineOf({ reasonFrom = {} }: PayoutSource): Pick<WithdrawalMove, 'declineCause' | 'declineMessage'> {
  const message = declineMessage(reasonFrom.message);
  return {
    ...(reasonFrom.cause !== undefined && { declineCause: reasonFrom.cause }),
    ...(message !== undefined && { declineMessage: message }),
  };
}
