/**
 * Carries out what a reducer decided about a locked withdrawal (WD-2, SRV-3). It writes the payout, books it, moves the withdrawal and
 * tells user and operator, all in the caller's transaction.
 */
import type { DeclineCause } from '@opencashier/contract/api';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Payout } from '@opencashier/core/payout/aggregate';
import type { LateDecision, PayoutEffect } from '@opencashier/core/payout/report';
import { declineMessage } from '@opencashier/core/withdrawal/decline-message';
import type { Transaction } from '../database/database.ts';
import type { StoredFailure } from '../lifecycle/provider-failure.ts';
import { bearLines, bookPayout, chargeLines, coveredAmount, latePaidLines, returnLines } from './payout-postings.ts';
import { setPayout } from './payout-store.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';
import { moveWithdrawal, type WithdrawalMove } from './withdrawal-store.ts';

/** Who caused the effects, and what is known of the reason. */
export interface PayoutSource {
  /** For the history: `provider`, `user`, `staff:…`. */
  readonly cause: string;
  readonly providerRef?: string | undefined;
  /** Why the provider declined or returned the payout. Its words are made safe here. */
  readonly declined?: { readonly cause?: DeclineCause | undefined; readonly message?: string | undefined };
  /** Kept for a replay of the confirm that the provider refused. */
  readonly failure?: StoredFailure | undefined;
  /** Seconds for which this node talks to the provider. */
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

/** What is known once the effects before the move have run. */
interface Progress {
  readonly payoutId: string | undefined;
  /** What was taken from the user for a late payout, as a decimal string. */
  readonly charged?: string;
}

/** @returns the withdrawal after the effects */
export async function runPayoutEffects(run: Run, effects: readonly PayoutEffect[]): Promise<WithdrawalRow> {
  let after = run.row;
  let progress: Progress = { payoutId: run.payout?.id };
  for (const effect of effects) {
    if (effect.kind === 'move') after = await move(run, effect, progress);
    else progress = await carryOut(run, effect, progress);
  }
  return after;
}

/** Submits a withdrawal that nobody has submitted: its payout begins, and the caller asks the provider to pay. */
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

async function carryOut(run: Run, effect: Booking, progress: Progress): Promise<Progress> {
  const { transaction, row, source } = run;
  if (effect.kind === 'set-payout') {
    return { payoutId: await setPayout(transaction, row, run.payout, effect.to, source.providerRef) };
  }
  const { payoutId } = progress;
  if (payoutId === undefined) throw new Error(`Withdrawal ${row.id} has no payout to book`);
  switch (effect.kind) {
    case 'book-return':
      await bookPayout(transaction, row, { kind: 'withdrawal_return', payoutId, lines: returnLines(row) });
      return progress;
    case 'book-late-payout':
      await bookPayout(transaction, row, { kind: 'withdrawal_late_paid', payoutId, lines: latePaidLines(row) });
      return progress;
    case 'settle-late-payout':
      return { payoutId, charged: await settleLate(run, payoutId, effect.decision) };
  }
}

/** @returns what was taken from the user, as a decimal string */
async function settleLate(
  { transaction, row, source }: Run,
  payoutId: string,
  decision: LateDecision,
): Promise<string> {
  const taken = decision === 'charge' ? await coveredAmount(transaction, row) : 0n;
  await bookPayout(transaction, row, {
    kind: 'withdrawal_late_settled',
    payoutId,
    lines: decision === 'charge' ? chargeLines(row, taken) : bearLines(row),
    note: `decided by ${source.staff}: ${decision}`,
  });
  return toDecimalString(taken, decimalsOf(row.currency));
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

function declineOf({ declined = {} }: PayoutSource): Pick<WithdrawalMove, 'declineCause' | 'declineMessage'> {
  const message = declineMessage(declined.message);
  return {
    ...(declined.cause !== undefined && { declineCause: declined.cause }),
    ...(message !== undefined && { declineMessage: message }),
  };
}
