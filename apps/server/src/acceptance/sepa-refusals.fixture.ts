/** An operator whose bank's messages the database refuses in part, and the staff who end the steps that were set aside. */
import type { SetAsideStepPage } from '@opencashier/contract/operator';
import { afterEach, expect, vi } from 'vitest';
import type { Database } from '../database/database.ts';
import { type SepaOperator, withSepaOperator } from './sepa-operator.fixture.ts';

const soon = { timeout: 30_000, interval: 50 };

/** A database that refuses changes of single transfers. @param databaseOf the database of the tests, once it runs */
export function transferRefusals(databaseOf: () => Database) {
  const sql = <Row>(text: string, values: readonly unknown[] = []) => databaseOf().query<Row>({ text, values });
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
  };
}

/**
 * Starts a cashier for the file's tests. After each test the database refuses nothing any more.
 * @param take receives the operator before the file's own `beforeAll`
 */
export function withRefusingDatabase(take: (operator: SepaOperator) => void) {
  let operator: SepaOperator | undefined;
  withSepaOperator((made) => {
    operator = made;
    take(made);
  });
  const opened = (): SepaOperator => {
    if (operator === undefined) throw new Error('The operator is not made yet');
    return operator;
  };
  const { sql, refuse, allow } = transferRefusals(() => opened().running.database);
  afterEach(async () => void (await allow()));

  const end = (withdrawalId: string, body: object) =>
    opened().ask('POST', `/set-aside-steps/${withdrawalId}/end`, { staff: 'bob', ...body });

  return {
    sql,
    refuse,
    allow,
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
    setAside: async () => ((await opened().ask('GET', '/set-aside-steps')).body as SetAsideStepPage).steps,
    /** Ends steps of a transfer, as a person of the staff does. */
    end,
    retry: (withdrawalId: string) => end(withdrawalId, { decision: 'retry' }),
  };
}
