/** Writes months of bookings into a database past its triggers, and their settlement file. */
import { createHash } from 'node:crypto';
import { toDecimalString } from '@opencashier/core/money/money';
import type { LedgerEntry, SettlementLine } from '@opencashier/core/reconciliation/line';
import type { Database } from '../database/database.ts';

/** An id that the database accepts, made from a name. */
export function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Rows of a refund or chargeback belong to a payment, which is too old to be due. */
const LONG_AGO = '2020-01-01T12:00:00Z';

/** The rows that the application would have written: their rules are proved elsewhere. */
export async function bookEntries(
  database: Database,
  entries: readonly LedgerEntry[],
  provider = 'fake',
): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query({ text: `set local session_replication_role = replica` });
    for (const entry of entries) {
      const own = uuidOf(entry.ownIds[0] ?? '');
      const { reference, currency } = entry;
      const amount = entry.amount < 0n ? -entry.amount : entry.amount;
      const at = `${entry.date}T12:00:00Z`;
      const id = uuidOf(entry.id);
      const payment = (paymentId: string, depositId: string, origin: string, when: string) =>
        transaction.query({
          text: `insert into payment (operator_id, id, deposit_id, provider, provider_ref, origin, state, currency, amount, created_at)
            values ('op', $1, $2, $8, $3, $4, 'credited', $5, $6, $7)`,
          values: [paymentId, depositId, reference, origin, currency, amount, when, provider],
        });
      const ofPayment = uuidOf(`payment of ${entry.id}`);
      if (entry.kind === 'payment') await payment(id, own, 'deposit', at);
      if (entry.kind === 'return') await payment(id, own, 'returned', at);
      if (entry.kind === 'refund') {
        await payment(ofPayment, ofPayment, 'deposit', LONG_AGO);
        await transaction.query({
          text: `insert into refund (operator_id, id, refund_id, deposit_id, payment_id, origin, amount, currency, staff, state, created_at)
            values ('op', $1, $2, $3, $3, 'operator', $4, $5, 'sam', 'succeeded', $6)`,
          values: [id, own, ofPayment, amount, currency, at],
        });
      }
      if (entry.kind === 'chargeback') {
        await payment(ofPayment, ofPayment, 'deposit', LONG_AGO);
        await transaction.query({
          text: `insert into dispute (operator_id, id, deposit_id, payment_id, provider, event_id, state, currency, amount, created_at)
            values ('op', $1::uuid, $2, $2, $6, $1::uuid::text, 'open', $3, $4, $5)`,
          values: [id, ofPayment, currency, amount, at, provider],
        });
      }
      if (entry.kind === 'payout') {
        await transaction.query({
          text: `insert into payout (operator_id, id, withdrawal_id, provider, provider_ref, currency, amount, state, created_at)
            values ('op', $1, $2, $7, $3, $4, $5, 'paid', $6)`,
          values: [id, own, reference, currency, amount, at, provider],
        });
      }
    }
  });
}

/** Gives the payments of some entries to a connection: their deposits exist only for this. */
export async function giveToConnection(
  database: Database,
  connectionId: string,
  depositIds: readonly string[],
  provider = 'fake',
): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query({ text: 'set local session_replication_role = replica' });
    await transaction.query({
      text: `insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, connection_id, currency, amount,
          country, lifetime_s, request, state, rank, expires_at)
        select id, 'op', 'ann', id, sha256(id::text::bytea), 'card', $3, $1, 'EUR', 100, 'DE', 60, '{}', 'created', 10, now()
        from unnest($2::uuid[]) as deposit(id)`,
      values: [connectionId, depositIds, provider],
    });
  });
}

export const monthsMapping = {
  format: 'csv',
  columns: {
    reference: 'reference',
    ownId: 'own',
    amount: 'amount',
    fee: 'fee',
    currency: 'currency',
    date: 'date',
    kind: 'kind',
    payee: 'payee',
  },
  kinds: { payment: 'payment', refund: 'refund', chargeback: 'chargeback', payout: 'payout', return: 'return' },
};

/** The provider's file of these lines. A chargeback is known by its own id here. */
export function csvOf(lines: readonly SettlementLine[]): string {
  const rows = lines.map(({ kind, references: [reference = ''], ownId, currency, amount, fee, date, payee = '' }) => {
    const own = ownId === undefined ? '' : uuidOf(kind === 'chargeback' ? ownId.replace('own', 'entry') : ownId);
    return [reference, own, toDecimalString(amount, 2), toDecimalString(fee, 2), currency, date, kind, payee].join(',');
  });
  return ['reference,own,amount,fee,currency,date,kind,payee', ...rows, ''].join('\n');
}
