/** The rules of the database about attempts: a deposit changes its account only after a certain failure. */
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { type Bench, commandOf } from '../payments/testing/payments.fixture.ts';
import { type Routed, withRoutedPayments } from '../payments/testing/routed-payments.fixture.ts';
import { codeOf } from '../payments/testing/with-payments.fixture.ts';

let database: Database;
let bench: Bench;
let routed: Routed;
withRoutedPayments((made) => {
  ({ database, bench, routed } = made);
});

describe('[SRV-4] the database refuses', () => {
  test.each([
    ['another connection without an attempt', `update deposit set provider = 'third' where id = $1`],
    [
      'an attempt that was not stored',
      `update deposit set provider = 'third', attempt_id = gen_random_uuid() where id = $1`,
    ],
  ])('%s', async (_what, text) => {
    const command = commandOf();
    await bench.payments.createDeposit(command);
    const refused = database.query({ text, values: [command.request.depositId] });
    expect(await refused.then(() => 'done', constraintOf)).toBe('deposit_immutable');
  });

  test('a further attempt after an unknown outcome', async () => {
    routed.named('first').onCreate = async () => ({ kind: 'unknown', code: 'timeout' });
    const command = commandOf();
    const { depositId } = command.request;
    await codeOf(bench.payments.createDeposit(command));
    await database.query({
      text: `insert into deposit_attempt (operator_id, deposit_id, n, id, provider, outcome, ended_at)
        values ('op', $1, 1, $1, 'first', 'failed', now()), ('op', $1, 2, gen_random_uuid(), 'second', null, null)`,
      values: [depositId],
    });
    const refused = database.query({
      text: `update deposit set provider = 'second', attempt_id = (select id from deposit_attempt where deposit_id = $1 and n = 2)
        where id = $1`,
      values: [depositId],
    });
    expect(await refused.then(() => 'done', constraintOf)).toBe('deposit_immutable');
  });
});
