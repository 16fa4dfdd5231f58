/** The sandbox's payouts in SQL. */
import type { Database } from '../../../database/database.ts';
import type { OutgoingCallback } from '../payments/payment.ts';
import type { Payout } from './payout.ts';

export interface PayoutStore {
  /** Stores a new payout with its callbacks. Returns the stored one where the withdrawal id already has a payout. */
  create(
    payout: Payout,
    callbacks: readonly OutgoingCallback[],
  ): Promise<{ readonly payout: Payout; readonly isNew: boolean }>;
  find(withdrawalId: string): Promise<Payout | undefined>;
}

type PayoutRow = Omit<Payout, 'createdAt'> & { readonly createdAt: Date };

/** @param account the connection of an operator; absent: the account in the settings of the server */
export function createPayoutStore(database: Database, account?: string): PayoutStore {
  const find: PayoutStore['find'] = async (withdrawalId) => {
    const [row] = await database.query<PayoutRow>({
      name: 'sandbox-payout',
      text: `select ref, withdrawal_id as "withdrawalId", receives_minor as "receivesMinor", currency, scenario, facts,
        created_at as "createdAt" from sandbox_payout where withdrawal_id = $1`,
      values: [withdrawalId],
    });
    return row && { ...row, createdAt: row.createdAt.getTime() };
  };
  return {
    find,
    async create(payout, callbacks) {
      const inserted = await database.query({
        name: 'sandbox-payout-create',
        text: `with payout as (
            insert into sandbox_payout (ref, withdrawal_id, receives_minor, currency, scenario, facts, created_at, account)
            values ($1, $2, $3, $4, $5, $6, $7, $9) on conflict (withdrawal_id) do nothing returning ref
          ), callbacks as (
            insert into sandbox_callback (payout_ref, event_id, body, is_forged, due_at)
            select payout.ref, one.event_id, one.body, one.is_forged, one.due_at
            from payout, jsonb_to_recordset($8::jsonb)
              as one(event_id text, body text, is_forged boolean, due_at timestamptz)
          )
          select ref from payout`,
        values: [
          payout.ref,
          payout.withdrawalId,
          payout.receivesMinor,
          payout.currency,
          payout.scenario,
          JSON.stringify(payout.facts),
          new Date(payout.createdAt),
          JSON.stringify(
            callbacks.map(({ eventId, body, isForged, dueAt }) => ({
              event_id: eventId,
              body,
              is_forged: isForged,
              due_at: new Date(dueAt).toISOString(),
            })),
          ),
          account ?? null,
        ],
      });
      if (inserted.length > 0) return { payout, isNew: true };
      const existing = await find(payout.withdrawalId);
      if (existing === undefined) throw new Error(`The sandbox lost the payout of ${payout.withdrawalId}`);
      return { payout: existing, isNew: false };
    },
  };
}
