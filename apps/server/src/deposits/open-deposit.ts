/**
 * Creates deposits for payments that have none: a further transfer to an address, and a payment that names no
 * deposit. Core decides when.
 */
import { createHash, randomUUID } from 'node:crypto';
import { NO_USER } from '@opencashier/core/payment/aggregate';
import {
  isFurtherTransfer,
  isReviewableMoney,
  opensDeposit,
  refOfTransfer,
} from '@opencashier/core/payment/deposit-of-payment';
import type { Statement, Transaction } from '../database/database.ts';
import { logMove } from '../payment-ports/log-move.ts';
import type { DepositReport } from '../providers/provider.ts';
import { type DepositRow, depositColumns, readDeposit, type StoredRequest } from './deposit-row.ts';

/** The deposit of a report, and the report with the reference of that deposit's payment. */
export interface Transfer {
  readonly row: DepositRow;
  readonly report: DepositReport;
}

/**
 * Finds or opens the deposit of a transfer to an address.
 * @param row the locked deposit that owns the address
 */
export async function depositOfTransfer(
  transaction: Transaction,
  row: DepositRow,
  reported: DepositReport,
): Promise<Transfer> {
  const report = { ...reported, providerRef: refOfTransfer(row, reported) };
  if (!isFurtherTransfer(row, report)) return { row, report };
  const further = (await lockFurther(transaction, row, report)) ?? (await openFurther(transaction, row, report));
  return further === undefined ? { row, report } : { row: further, report: { ...report, depositId: further.id } };
}

async function lockFurther(
  transaction: Transaction,
  row: DepositRow,
  { provider, providerRef }: DepositReport,
): Promise<DepositRow | undefined> {
  const [found] = await transaction.query<DepositRow>({
    name: 'deposit-further-lock',
    text: `select ${depositColumns} from deposit
      where operator_id = $4 and provider = $1 and provider_ref = $2 and further_of = $3 for update`,
    values: [provider, providerRef, row.id, row.operatorId],
  });
  return found && readDeposit(found);
}

/** Opens the deposit of a further transfer. It has no bonus and buys no box; both belong to the first deposit. */
async function openFurther(
  transaction: Transaction,
  row: DepositRow,
  report: DepositReport,
): Promise<DepositRow | undefined> {
  if (!opensDeposit(row, report)) return undefined;
  const least = row.openLeast !== null && row.openLeast < row.amount ? row.openLeast : row.amount;
  const request: StoredRequest = { fields: {}, returnUrl: row.request.returnUrl, language: row.request.language };
  return opened(transaction, {
    name: 'deposit-further-open',
    text: `with taken as (
        insert into deposit_key (operator_id, user_id, client_key, deposit_id) values ($2, $3, $1, $1)
      )
      insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, provider_ref, currency,
        amount, country, state, rank, request, lifetime_s, expires_at, open_amount, open_least, open_most, further_of, fee, connection_id)
      select $1, operator_id, user_id, $1, $4, payment_method, provider, $5, currency,
        $6, country, 'awaiting_payment', 30, $7, lifetime_s, expires_at, true, open_least, open_most, id, fee, connection_id
      from deposit where operator_id = $2 and id = $8 and box is null returning ${depositColumns}`,
    values: [
      randomUUID(),
      row.operatorId,
      row.userId,
      fingerprintOf(report),
      report.providerRef,
      least,
      JSON.stringify(request),
      row.id,
    ],
  });
}

const METHOD = 'unassigned';
const REQUEST: StoredRequest = { fields: {}, returnUrl: '', language: 'en' };

/**
 * Opens a deposit for a payment to a shared address that names no user. The deposit has no user and is expired from
 * the start. So the payment goes into suspense for review, like a late payment.
 * @returns undefined when several operators share the address and the payment names none
 */
export async function openUnassigned(transaction: Transaction, report: DepositReport): Promise<DepositRow | undefined> {
  const { unassigned, depositId, provider, providerRef, paidMinor, currency } = report;
  // Money of an operator's own account is never assigned to another operator.
  if (report.connectionId !== undefined) return undefined;
  if (unassigned === undefined || depositId === undefined || !isReviewableMoney(report)) return undefined;
  return opened(transaction, {
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
      NO_USER,
      fingerprintOf(report),
      METHOD,
      provider,
      providerRef,
      currency,
      paidMinor,
      unassigned.operator ?? null,
      JSON.stringify(REQUEST),
    ],
  });
}

/** The fingerprint of a deposit that no create call asked for. */
export function fingerprintOf({ providerRef }: Pick<DepositReport, 'providerRef'>): Buffer {
  return createHash('sha256').update(providerRef).digest();
}

/** Opens a deposit that no create call asked for. Undefined: the statement has opened none. */
export async function opened(transaction: Transaction, statement: Statement): Promise<DepositRow | undefined> {
  const [found] = await transaction.query<DepositRow>(statement);
  if (found === undefined) return undefined;
  const made = readDeposit(found);
  logMove(transaction, { type: 'deposit', row: made, cause: 'create' });
  return made;
}
