/**
 * People send to an address more than once. A further transfer with a transaction of its own, while its address is still being
 * waited for, is a payment of its own: it gets a deposit of its own, with its own state, web-hook and place in the ledger, and is
 * judged like any other. Whatever is not as plain as that is kept for people, as a second payment.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { DepositState } from '@opencashier/core/deposit/deposit-lifecycle';
import type { Transaction } from '../database/database.ts';
import type { ProviderEvidence } from '../providers/provider.ts';
import { type DepositRow, depositColumns, readDeposit, type StoredRequest } from './deposit-row.ts';
import { noteMove } from './move-note.ts';

/** The deposit that a report is about, and the report as it reads for that deposit. */
export interface Transfer {
  readonly row: DepositRow;
  readonly evidence: ProviderEvidence;
}

/** @param row locked: of the address that the money came to */
export async function transferOf(
  transaction: Transaction,
  row: DepositRow,
  reported: ProviderEvidence,
): Promise<Transfer> {
  const evidence = namedByTransaction(row, reported);
  const isOwn = row.providerRef === null || evidence.providerRef === row.providerRef;
  if (isOwn || !row.isOpenAmount || evidence.chain === undefined) return { row, evidence };
  const further = (await lockFurther(transaction, row, evidence)) ?? (await openFurther(transaction, row, evidence));
  return further === undefined ? { row, evidence } : { row: further, evidence: { ...evidence, depositId: further.id } };
}

/** A provider whose reference stands for the address tells transfers to it apart by their transactions alone. */
function namedByTransaction(row: DepositRow, evidence: ProviderEvidence): ProviderEvidence {
  const { chain, providerRef } = evidence;
  const isAnother = chain !== undefined && row.txid !== null && chain.txid !== row.txid;
  if (!isAnother || row.paid === null || providerRef !== row.providerRef) return evidence;
  return { ...evidence, providerRef: `${providerRef}:${chain.txid}` };
}

async function lockFurther(
  transaction: Transaction,
  row: DepositRow,
  { provider, providerRef }: ProviderEvidence,
): Promise<DepositRow | undefined> {
  const [found] = await transaction.query<DepositRow>({
    name: 'deposit-further-lock',
    text: `select ${depositColumns} from deposit
      where provider = $1 and provider_ref = $2 and further_of = $3 for update`,
    values: [provider, providerRef, row.id],
  });
  return found && readDeposit(found);
}

/** Money is on the way or there; not after an end, where even the first transfer is for people. */
const LIVE: ReadonlySet<DepositState> = new Set(['awaiting_payment', 'detected', 'confirming', 'credited']);

/** Undefined where the transfer is not plainly a payment of its own. No bonus: that was promised to the first; no box: it was bought once. */
async function openFurther(
  transaction: Transaction,
  row: DepositRow,
  { outcome, currency, providerRef }: ProviderEvidence,
): Promise<DepositRow | undefined> {
  const isInTime = row.serverTime.getTime() < row.expiresAt.getTime();
  const isPlain = outcome === 'paid' && currency === row.currency && row.paid !== null && LIVE.has(row.state);
  if (!isPlain || !isInTime || row.furtherOf !== null) return undefined;
  const id = randomUUID();
  const least = row.openLeast !== null && row.openLeast < row.amount ? row.openLeast : row.amount;
  const request: StoredRequest = { fields: {}, returnUrl: row.request.returnUrl, language: row.request.language };
  const [opened] = await transaction.query<DepositRow>({
    name: 'deposit-further-open',
    text: `with taken as (
        insert into deposit_key (operator_id, user_id, client_key, deposit_id) values ($2, $3, $1, $1)
      )
      insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, provider_ref, currency,
        amount, country, state, rank, request, lifetime_s, expires_at, open_amount, open_least, open_most, further_of)
      select $1, operator_id, user_id, $1, $4, payment_method, provider, $5, currency,
        $6, country, 'awaiting_payment', 30, $7, lifetime_s, expires_at, true, open_least, open_most, id
      from deposit where id = $8 and box is null returning ${depositColumns}`,
    values: [
      id,
      row.operatorId,
      row.userId,
      createHash('sha256').update(providerRef).digest(),
      providerRef,
      least,
      JSON.stringify(request),
      row.id,
    ],
  });
  if (opened === undefined) return undefined;
  const made = readDeposit(opened);
  noteMove(transaction, { type: 'deposit', row: made, cause: 'create' });
  return made;
}
