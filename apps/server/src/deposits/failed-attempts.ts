/**
 * Reports about an attempt that its provider had called failed (SRV-4). The deposit went on to another account, so such money is no
 * credit of it. It gets a declined deposit of its own, and staff decide about it as about every late payment: the payer is credited
 * once, and no money is lost.
 */
import { randomUUID } from 'node:crypto';
import { isReviewableMoney } from '@opencashier/core/payment/deposit-of-payment';
import type { Transaction } from '../database/database.ts';
import type { DepositReport } from '../providers/provider.ts';
import { type DepositRow, depositColumns, idAtProvider } from './deposit-row.ts';
import { fingerprintOf, opened } from './open-deposit.ts';

/** The deposit whose attempt a report names. `opened`: a deposit for the money of the attempt. */
export type FailedAttempt =
  | { readonly kind: 'opened'; readonly row: DepositRow }
  /** The report names no money, as the failed attempt did. */
  | { readonly kind: 'known'; readonly depositId: string };

interface AttemptRow {
  readonly operatorId: string;
  readonly depositId: string;
  readonly id: string;
}

/** Outcomes that agree with an attempt that took nothing, or that only a later report decides. */
const WITHOUT_MONEY: ReadonlySet<DepositReport['outcome']> = new Set([
  'pending',
  'vanished',
  'declined',
  'expired',
  'cancelled',
]);

/**
 * Finds the failed attempt that a report names, and opens a deposit for its money. Undefined: the report names no failed attempt, or
 * something that staff must look at.
 */
export async function ofFailedAttempt(
  transaction: Transaction,
  report: DepositReport,
): Promise<FailedAttempt | undefined> {
  if (report.depositId === undefined) return undefined;
  const [attempt] = await transaction.query<AttemptRow>({
    name: 'attempt-of-report',
    // Two reports about one attempt open one deposit.
    text: `select operator_id as "operatorId", deposit_id as "depositId", id from deposit_attempt
      where id = $1 and provider = $2 and connection_id is not distinct from $3::uuid and outcome is not null
        and money_deposit_id is null for update`,
    values: [report.depositId, report.provider, report.connectionId ?? null],
  });
  if (attempt === undefined) return undefined;
  if (WITHOUT_MONEY.has(report.outcome)) return { kind: 'known', depositId: attempt.depositId };
  if (!isReviewableMoney(report)) return undefined;
  const row = await openFor(transaction, attempt, report);
  return row && { kind: 'opened', row };
}

/** It begins as declined, which is what its provider had answered. It has no bonus and buys no box; both belong to the other deposit. */
async function openFor(
  transaction: Transaction,
  { operatorId, depositId, id }: AttemptRow,
  { provider, providerRef, connectionId }: DepositReport,
): Promise<DepositRow | undefined> {
  const row = await opened(transaction, {
    name: 'deposit-of-attempt-open',
    text: `with taken as (
        insert into deposit_key (operator_id, user_id, client_key, deposit_id)
        select operator_id, user_id, $3, $3 from deposit where operator_id = $1 and id = $2
      )
      insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, connection_id, attempt_id,
        provider_ref, currency, amount, country, state, rank, reason, request, lifetime_s, expires_at, fee)
      select $3, operator_id, user_id, $3, $4, payment_method, $5, $6, $7,
        $8, currency, amount, country, 'declined', (select rank from deposit_state where state = 'declined'),
        'transaction.reason.provider-error', jsonb_set(request, '{fields}', '{}') - 'inputs', lifetime_s, expires_at, fee
      from deposit where operator_id = $1 and id = $2 returning ${depositColumns}`,
    values: [
      operatorId,
      depositId,
      randomUUID(),
      fingerprintOf({ providerRef }),
      provider,
      connectionId ?? null,
      id,
      providerRef,
    ],
  });
  if (row === undefined) return undefined;
  await transaction.query({
    name: 'attempt-money',
    text: 'update deposit_attempt set money_deposit_id = $3 where operator_id = $1 and id = $2',
    values: [operatorId, idAtProvider(row), row.id],
  });
  return row;
}
