/** A database that refuses changes of single transfers, and the pauses of bank messages that wait for it. */
import { expect, vi } from 'vitest';
import type { RunningApp } from '../transports/testing/running-app.ts';

const soon = { timeout: 30_000, interval: 50 };

/** @param appOf the cashier of the tests, once it runs */
export function transferRefusals(appOf: () => RunningApp) {
  const sql = <Row>(text: string, values: readonly unknown[] = []) => appOf().database.query<Row>({ text, values });
  return {
    sql,
    /** Lets the database refuse every change of this transfer. */
    async refuse(withdrawalId: string): Promise<void> {
      await sql(`create or replace function refuse_transfer() returns trigger language plpgsql as $$
        begin raise exception 'no' using errcode = 'check_violation', constraint = 'refused_by_test'; end $$`);
      await sql(`create or replace trigger refused_transfer before update on payout_transfer for each row
        when (new.withdrawal_id = '${withdrawalId}') execute function refuse_transfer()`);
    },
    allow: () => sql('drop trigger if exists refused_transfer on payout_transfer'),
    /** Lets no pause end by itself. @returns the messages that are being read */
    hold: () =>
      sql<{ failures: number }>(`update bank_message_queue set next_at = now() + interval '1 hour'
        returning failures, suspects, last_error, next_at > now() as waits`),
    /** Lets the time of every pause come until no message is being read. */
    async readAll(): Promise<void> {
      await vi.waitFor(async () => {
        const left = await sql('update bank_message_queue set next_at = least(next_at, now()) returning 1');
        expect(left).toEqual([]);
      }, soon);
    },
  };
}
