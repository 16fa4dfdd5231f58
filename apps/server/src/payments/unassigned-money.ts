/**
 * Money that came to an address of everybody's and names no deposit. It is nobody's: it gets a deposit of its own, without a user and
 * over from the start, so that it lies in suspense with a review like any other late payment, and can be lost again like one.
 */
import { createHash } from 'node:crypto';
import { findCurrency } from '@opencashier/core/money/currencies';
import type { Transaction } from '../database/database.ts';
import type { ProviderEvidence } from '../providers/provider.ts';
import { type DepositRow, depositColumns, readDeposit, type StoredRequest } from './deposit-row.ts';
import { noteMove } from './move-note.ts';

/** No user has it: a user's id has a sign at least. */
export const NOBODY = '';
const METHOD = 'unassigned';
const REQUEST: StoredRequest = { fields: {}, returnUrl: '', language: 'en' };

/** Undefined where the report is of no such money, or where it is not said which of several operators it is for. */
export async function openUnassigned(
  transaction: Transaction,
  { unassigned, depositId, outcome, provider, providerRef, paidMinor, currency }: ProviderEvidence,
): Promise<DepositRow | undefined> {
  const isMoney = outcome === 'paid' && paidMinor !== undefined && paidMinor > 0n && currency !== undefined;
  // Of what it has no name for, nobody could be asked.
  const isNamed = currency !== undefined && findCurrency(currency) !== undefined;
  if (unassigned === undefined || depositId === undefined || !isMoney || !isNamed) return undefined;
  const [opened] = await transaction.query<DepositRow>({
    name: 'deposit-unassigned-open',
    text: `with owner as (
        select id from operator where partner_key = $9 or ($9::text is null and (select count(*) from operator) = 1)
      ), taken as (
        insert into deposit_key (operator_id, user_id, client_key, deposit_id) select id, $2, $1, $1 from owner
      )
      insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, provider_ref, currency,
        amount, country, state, rank, request, lifetime_s, expires_at)
      select $1, owner.id, $2, $1, $3, $4, $5, $6, $7, $8, '', 'expired',
        (select rank from deposit_state where state = 'expired'), $10, 1, now() from owner
      returning ${depositColumns}`,
    values: [
      depositId,
      NOBODY,
      createHash('sha256').update(providerRef).digest(),
      METHOD,
      provider,
      providerRef,
      currency,
      paidMinor,
      unassigned.operator ?? null,
      JSON.stringify(REQUEST),
    ],
  });
  if (opened === undefined) return undefined;
  const made = readDeposit(opened);
  noteMove(transaction, { type: 'deposit', row: made, cause: 'create' });
  return made;
}
