/** The statement of player funds, now and as of an earlier time. */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import type { Database } from '../database/database.ts';
import { intercepted } from '../database/testing/intercepted.fixture.ts';
import { type OperatorApi, withOperatorApi } from '../operator-api/operator-api.fixture.ts';
import { type Bench, commandOf, reportOf } from '../payments/testing/payments.fixture.ts';
import { decideBooking, resolveOnce } from './bookings.ts';
import { compareChain } from './compare-chain.ts';
import { playerFunds } from './player-funds.ts';

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

/** The hot wallet has more coins than the ledger knows. Returns the booking that would end it, which waits for a second person. */
async function unknownCoins(raw: number, coin = 'ETH'): Promise<string> {
  const chain = `chain of ${coin}`;
  await database.query({
    text: `insert into crypto_chain (chain, account) values ($1, 'account') on conflict do nothing`,
    values: [chain],
  });
  await database.query({
    text: `insert into crypto_balance (chain, address, contract, raw, height, last_height) values ($1, 'wallet', '', $2, 1, 1)
      on conflict (chain, address, contract) do update set raw = excluded.raw`,
    values: [chain, raw],
  });
  const assets = [{ coin, contract: '', decimals: 8 }];
  await compareChain(database, { chain, height: 1, assets, hotWallet: 'wallet', owner: 'pk' });
  const [mismatch] = await database.query<{ id: string }>({
    text: `select id from settlement_mismatch where state = 'open'`,
  });
  const proposal = {
    decisionId: randomUUID(),
    account: 'write_off',
    decidedBy: 'eve',
    reason: 'our own coins',
  } as const;
  const { bookingId } = await resolveOnce(database, 'op', mismatch?.id ?? '', proposal);
  return bookingId;
}

test('[SRV-2] coins that a chain has, and no account of the ledger, are in the statement', async () => {
  await paidDeposit();
  await unknownCoins(1_000_000_000, 'LTC');
  const coins = { currency: 'LTC', owedToUsers: '0.00000000', onChain: '10.00000000', surplus: '10.00000000' };
  const { currencies } = await playerFunds(database, 'op');
  expect(currencies).toContainEqual(expect.objectContaining(coins));
  const names = currencies.map(({ currency }) => currency);
  expect(names).toEqual(names.toSorted());
});

// The embedded database has one connection.
test.runIf(process.env['TEST_DATABASE'] === 'postgres')(
  '[SRV-2] a booking that is approved while a statement reads is in all of its sums or in none',
  async () => {
    const approve = (on: Database, bookingId: string) =>
      decideBooking(on, 'op', bookingId, { decision: 'approve', decidedBy: 'max' });
    await approve(database, await unknownCoins(1_000_000_000));
    const bookingId = await unknownCoins(1_500_000_000);
    const coins = { currency: 'ETH', onChain: '15.00000000', inTransit: '0.00000000', surplus: '15.00000000' };
    const before = await playerFunds(database, 'op');
    expect(before.currencies).toContainEqual(expect.objectContaining(coins));
    // It begins before the time of the statement, and commits after the first sums.
    const steps = new EventEmitter();
    const begun = once(steps, 'begun');
    const goesOn = once(steps, 'goes on');
    const slow = intercepted(database, async () => {
      steps.emit('begun');
      await goesOn;
    });
    const approved = approve(slow, bookingId);
    await begun;
    const reader = intercepted(database, async ({ name }) => {
      if (name !== 'chain-funds-booked') return;
      steps.emit('goes on');
      await approved;
    });
    expect((await playerFunds(reader, 'op')).currencies).toEqual(before.currencies);
    expect(await approved).toMatchObject({ state: 'approved' });
    expect((await playerFunds(database, 'op')).currencies).toEqual(before.currencies);
  },
);
