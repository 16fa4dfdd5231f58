/** Two people of the staff accept a hot wallet that was used without the cashier (docs/runbooks/HotWalletUsedElsewhere.md). */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import type { LocalChain } from '../providers/crypto/testing/local-chain.ts';
import { TestSigner } from '../providers/crypto/testing/test-signer.ts';
import { doubtedWallet, newAddress, Replica } from './doubted-wallet.fixture.ts';
import { type HotWallet, withHotWallet } from './hot-wallet.fixture.ts';

let chain: LocalChain;
let database: Database;
let wallet: HotWallet;
let replica: Replica;

withHotWallet(10n ** 21n, (made) => {
  wallet = made;
  ({ chain } = made);
  ({ database } = made.opened);
});
const { nonceNow, propose, decide, accept, proposals, doubt, settle, paidOne, useElsewhere } = doubtedWallet(
  () => wallet,
);
beforeEach(async () => {
  replica = await Replica.open(chain.url);
});
afterEach(() => replica.close());

/** A doubt of the only wallet, as a round notes it. Two doubts do not begin at the same time. */
const found = async (since = 'clock_timestamp()', tooMany = 0n) =>
  database.query({
    text: `update coin_wallet set doubt = 'used-elsewhere', doubted_since = ${since}, doubt_next = $2 where wallet = $1`,
    values: [TestSigner.evmWallet, String((await nonceNow()) + tooMany)],
  });

test('[WD-2] one person proposes to accept a wallet and another confirms it, and both are listed', async () => {
  await paidOne();
  await useElsewhere();
  await found();
  const notAPerson = { exitCode: 2, errors: expect.stringContaining('the-cashier stands for the cashier itself') };
  expect(await propose('the-cashier')).toMatchObject(notAPerson);
  const { proposal } = await propose('eve');
  expect(await decide('confirm', proposal, 'The-Cashier')).toMatchObject(notAPerson);
  expect(await propose('ivan')).toMatchObject({ exitCode: 1, errors: expect.stringContaining('waits') });
  for (const same of ['eve', 'Eve'])
    expect(await decide('confirm', proposal, same)).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('This person has proposed the acceptance'),
    });
  expect(await doubt()).toBe('used-elsewhere');
  expect(await decide('reject', proposal, 'eve')).toMatchObject({ exitCode: 0 });
  expect(await decide('confirm', proposal, 'ivan')).toMatchObject({ exitCode: 1 });
  expect(await doubt()).toBe('used-elsewhere');
  const { proposal: second } = await propose('ivan');
  // Asked for twice, accepted once.
  for (let times = 0; times < 2; times += 1)
    expect(await decide('confirm', second, 'eve')).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('go on if the nodes show no other transactions'),
    });
  expect(await decide('reject', second, 'eve')).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('decided before'),
  });
  expect(await doubt()).toBeNull();
  const next = String(await nonceNow());
  const words = { next, doubt: 'used-elsewhere', reason: 'swept by hand', proposed: expect.any(String) };
  expect((await proposals()).slice(0, 2)).toMatchObject([
    { ...words, proposal: second, state: 'confirmed', proposedBy: 'ivan', decidedBy: 'eve' },
    { ...words, proposal, state: 'rejected', proposedBy: 'eve', decidedBy: 'eve' },
  ]);
  expect(await decide('confirm', 'nonsense', 'ivan')).toMatchObject({ exitCode: 2 });
  expect(await decide('confirm', randomUUID(), 'ivan')).toMatchObject({ exitCode: 1 });
});

test('[WD-2] a proposal cannot be confirmed when the wallet has another doubt, and gives way to a new proposal', async () => {
  await paidOne();
  await useElsewhere();
  await found();
  const { proposal } = await propose('eve');
  // The doubt ended by itself, and the wallet was used once more.
  await found(`doubted_since + interval '1 hour'`);
  expect(await decide('confirm', proposal, 'ivan')).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('the doubt about the wallet has changed'),
  });
  await database.query({
    text: `update coin_wallet set doubt = 'nodes-disagree', doubt_next = null where doubt is not null`,
  });
  expect(await decide('confirm', proposal, 'ivan')).toMatchObject({ exitCode: 1 });
  expect(await doubt()).toBe('nodes-disagree');
  await found('doubted_since');
  const { proposal: second } = await propose('eve');
  expect((await proposals()).slice(0, 2)).toMatchObject([
    { proposal: second, state: 'proposed' },
    { proposal, state: 'rejected', decidedBy: 'the-cashier' },
  ]);
  expect(await decide('confirm', second, 'ivan')).toMatchObject({ exitCode: 0 });
});

test('[WD-2] a proposal cannot be confirmed when the nodes show more transactions, and never names more than they show', async () => {
  await paidOne();
  await useElsewhere();
  const bench = wallet.open({ nodes: [chain.url, replica.url] });
  const payout = await bench.cashOut('ETH', '0.5', newAddress());
  await settle(bench);
  expect(await doubt()).toBe('used-elsewhere');
  // Nobody could look up what the chain does not have yet.
  expect(await propose('eve', 1n)).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining(`All nodes have the transactions before ${await nonceNow()}`),
  });
  const { proposal } = await propose('eve');
  await useElsewhere();
  await settle(bench);
  const refusal = {
    exitCode: 1,
    errors: expect.stringContaining(`All nodes have the transactions before ${await nonceNow()}`),
  };
  expect(await decide('confirm', proposal, 'ivan')).toMatchObject(refusal);
  const { proposal: second } = await propose('eve');
  await useElsewhere();
  replica.offset = -9;
  await settle(bench);
  expect(await doubt()).toBe('nodes-disagree');
  replica.offset = 0;
  await settle(bench);
  expect(await doubt()).toBe('used-elsewhere');
  expect(await decide('confirm', second, 'ivan')).toMatchObject({ exitCode: 1 });
  const { proposal: third } = await propose('eve');
  expect((await proposals()).slice(0, 3)).toMatchObject([
    { proposal: third, nodesNext: String(await nonceNow()) },
    { proposal: second, state: 'rejected' },
    { proposal, state: 'rejected' },
  ]);
  expect(await decide('confirm', third, 'ivan')).toMatchObject({ exitCode: 0 });
  await settle(bench);
  expect(await payout.status()).toBe(1);
});

test('[WD-2] after a failover to a server whose clock lags, the newest confirmation counts', async () => {
  await paidOne();
  await useElsewhere();
  await found();
  const { proposal: first } = await propose('eve');
  expect(await decide('confirm', first, 'ivan')).toMatchObject({ exitCode: 0 });
  // The clock of the old server was ahead.
  const ahead = `f${first.slice(1)}`;
  await database.transaction((transaction) =>
    withoutTriggers(transaction, [`update coin_wallet_acceptance set id = '${ahead}' where id = '${first}'`]),
  );
  await useElsewhere();
  await found();
  const { proposal: second } = await propose('eve');
  expect(await decide('confirm', second, 'ivan')).toMatchObject({ exitCode: 0 });
  expect(await doubt()).toBeNull();
  expect((await proposals()).slice(0, 2)).toMatchObject([{ proposal: second }, { proposal: ahead }]);
});

test('[WD-2] the database lets two people alone accept a wallet, and keeps what they did', async () => {
  await paidOne();
  await useElsewhere();
  await found();
  const refused = (text: string) => database.query({ text }).then(() => 'accepted', constraintOf);
  const { proposal } = await propose('eve');
  const set = (change: string) => refused(`update coin_wallet_acceptance set ${change} where id = '${proposal}'`);
  const decided = "state = 'confirmed', decided_at = now(), decided_by";
  const move = (slot: string) =>
    refused(`update coin_wallet set accepted_slot = ${slot}, doubt = null, doubted_since = null, doubt_next = null
      where wallet = '${TestSigner.evmWallet}'`);
  const next = String(await nonceNow());
  // The proposal of one person is not enough.
  expect(await move(next)).toBe('coin_wallet_accepted');
  expect(await set(`${decided} = 'EVE'`)).toBe('coin_wallet_acceptance_by_two');
  for (const change of ['slot = slot - 1', `reason = 'other'`, 'doubt_next = doubt_next + 1', `proposed_by = 'olga'`])
    expect(await set(change), change).toBe('coin_wallet_acceptance_immutable');
  expect(
    await refused(`insert into coin_wallet_acceptance (chain, wallet, slot, reason, state, proposed_by, decided_by, decided_at)
      values ('ethereum', '${TestSigner.evmWallet}', 9, 'swept', 'confirmed', 'eve', 'ivan', now())`),
  ).toBe('coin_wallet_acceptance_proposed_first');
  expect(
    await refused(`insert into coin_wallet_acceptance (chain, wallet, slot, doubt, doubted_since, doubt_next, reason, proposed_by)
      select chain, wallet, doubt_next + 1, doubt, doubted_since, doubt_next, 'swept', 'eve' from coin_wallet`),
  ).toBe('coin_wallet_acceptance_bounded');
  // Confirmed past the cashier: the agreed number alone, once, and only for the doubt that they saw.
  expect(await set(`${decided} = 'ivan'`)).toBe('accepted');
  expect(await move(`${next} + 1`)).toBe('coin_wallet_accepted');
  await found(`doubted_since + interval '1 hour'`);
  expect(await move(next)).toBe('coin_wallet_accepted');
  await found(`doubted_since - interval '1 hour'`, 1n);
  expect(await move(next)).toBe('coin_wallet_accepted');
  await found('doubted_since');
  expect(await move(next)).toBe('accepted');
  expect(await move('0')).toBe('coin_wallet_accepted');
  expect(await set(`decided_by = 'olga'`)).toBe('coin_wallet_acceptance_immutable');
  expect(await refused(`insert into coin_wallet (chain, wallet, accepted_slot) values ('ethereum', '0xNew', 9)`)).toBe(
    'coin_wallet_accepted',
  );
  for (const text of ['delete from coin_wallet_acceptance', 'truncate coin_wallet_acceptance'])
    expect(await refused(text), text).toBe('ledger_immutable');
});

test('[WD-2] of several wallets that a chain has had, staff accept only the one that they name', async () => {
  await database.transaction((transaction) =>
    withoutTriggers(transaction, [
      `insert into coin_wallet (chain, wallet, accepted_slot) values ('ethereum', '0xOld', 1000000)`,
    ]),
  );
  await found();
  const doubted = () => database.query({ text: `select 1 from coin_wallet where doubt = 'used-elsewhere'` });
  expect((await accept()).errors).toContain(`Give --wallet: ${TestSigner.evmWallet} or 0xOld.`);
  expect(await doubted()).toHaveLength(1);
  expect(await accept(0n, TestSigner.evmWallet)).toMatchObject({ exitCode: 0 });
  expect(await doubted()).toHaveLength(0);
  expect(await database.query({ text: `select accepted_slot::text from coin_wallet where wallet = '0xOld'` })).toEqual([
    { accepted_slot: '1000000' },
  ]);
  const [newest] = await proposals();
  expect(newest).toMatchObject({ proposedBy: 'eve', wallet: TestSigner.evmWallet, doubt: 'used-elsewhere' });
});
