/** The statement of player funds, now and as of an earlier time. */
import { expect, test } from 'vitest';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import type { Database } from '../database/database.ts';
import { type OperatorApi, withOperatorApi } from '../operator-api/operator-api.fixture.ts';
import { type Bench, commandOf, reportOf } from '../payments/testing/payments.fixture.ts';

let database: Database;
let bench: Bench;
let api: OperatorApi;
withOperatorApi((made) => {
  ({ database, bench, api } = made);
});

async function paidDeposit(paidMinor = 50_000n): Promise<void> {
  const { request } = commandOf();
  await bench.payments.createDeposit(commandOf(request));
  await bench.payments.apply(reportOf(request.depositId, { paidMinor }));
}
const statement = async (query = '') => (await api.ask(`/player-funds${query}`)).body;
/** The time of the newest journal. */
async function lastJournal(): Promise<string> {
  const [row] = await database.query<{ at: Date }>({ text: 'select max(at) as at from journal' });
  return row?.at.toISOString() ?? '';
}

test('[SRV-2] what is owed to users equals what providers owe, and an earlier time has the earlier sums', async () => {
  await paidDeposit();
  const before = await lastJournal();
  const first = {
    currency: 'INR',
    owedToUsers: '500.00',
    inReview: '0.00',
    bank: '0.00',
    inTransit: '500.00',
    surplus: '0.00',
  };
  expect(await statement()).toMatchObject({ currencies: [first] });
  await paidDeposit();
  await paidDeposit(40_000n);
  expect(await statement()).toMatchObject({
    currencies: [
      { currency: 'INR', owedToUsers: '1000.00', inReview: '400.00', inTransit: '1400.00', surplus: '0.00' },
    ],
  });
  expect(await statement(`?at=${before}`)).toEqual({ at: before, currencies: [first], chains: [] });
  expect(await api.ask('/player-funds?at=2090-01-01T00:00:00Z')).toMatchObject({ status: 409, code: 'state-conflict' });
  expect((await api.ask('/player-funds', undefined, 'other')).body).toMatchObject({ currencies: [] });
  const printed = await runCommand('player-funds pk --json', {
    environment: { DATABASE_URL: 'postgres://none/none', TOKEN_SECRET: 't'.repeat(32) },
    open: keptOpen(database),
  });
  expect(printed.exitCode).toBe(0);
  expect(JSON.parse(printed.out)).toMatchObject({ owedToUsers: '1000.00', surplus: '0.00' });
});
