/** The server dies at every failpoint of a payment. A failpoint that is added to the list is tested here without a change. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../scripts/machine/run.mjs';
import { Cluster } from './cluster.ts';
import { dieDuring, expectSoundAudit, readFailpoints, server, surviveWalletDeath } from './deaths.ts';
import { balanceOf, expectSoundBooks, untilQuiet } from './invariants.ts';
import { OwnWallet } from './own-wallet.ts';
import { intentOfWithdrawal, Payer } from './payer.ts';
import { walletMoments } from './wallet-moments.ts';

const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
const pollFor = { timeout: 60_000, interval: 30 };
const { failpoints, walletFailpoints } = await readFailpoints();

let cluster: Cluster;
let wallet: OwnWallet;
const payers: Payer[] = [];
beforeAll(async () => {
  cluster = await Cluster.start({ nodes: 1, program: 'dying' });
  await cluster.query(
    `insert into approval_threshold (operator_id, currency, one) select id, 'USD', 5000 from operator`,
  );
  wallet = await OwnWallet.open(cluster, 'own-wallet');
});
afterAll(async () => {
  await cluster?.stop();
  await wallet?.close();
});

interface Story {
  /** The story of one user, each step under one key. The final balance is 84.95. */
  readonly happens: (payer: Payer) => Promise<void>;
  readonly deposits: Readonly<Record<string, number>>;
}

/** Everything that a user can do. */
async function doEverything(payer: Payer): Promise<void> {
  const paidIn = async () => {
    const id = await payer.create(randomUUID(), '25.05');
    await payer.untilProcessed(id);
    const refund = { refundId: randomUUID(), staff: 'eve' };
    await payer.insistAsOperator(`transactions/${id}/refund`, refund, ({ state }) => state === 'refunded');
  };
  const thoughtBetterOf = async () => {
    const depositId = await payer.create(randomUUID(), '30.00');
    const { status, body } = await payer.insist('deposit-cancel', { depositId, paymentMethod: 'card' });
    expect([status, body['isCancelled']]).toEqual([200, true]);
  };
  const paidLate = async () => {
    const id = await payer.create();
    // No callback came for a while, so the server asks the provider.
    await cluster.query('update deposit set check_at = now() where id = $1', [id]);
    await expect
      .poll(() => cluster.query('select 1 from deposit where id = $1 and checks > 0', [id]), pollFor)
      .toHaveLength(1);
    await payer.pay(id);
    await payer.untilProcessed(id);
  };
  const cashedOut = async () => {
    const withdrawalId = randomUUID();
    expect((await payer.insist('withdrawal-create', intentOfWithdrawal(withdrawalId, '40.05'))).status).toBe(200);
    expect((await payer.insist('withdrawal-confirm', { withdrawalId })).status).toBe(200);
    await payer.untilWithdrawn(withdrawalId, 1);
  };
  const keptIt = async () => {
    const withdrawalId = randomUUID();
    expect((await payer.insist('withdrawal-create', intentOfWithdrawal(withdrawalId, '10.00'))).status).toBe(200);
    expect((await payer.insist('withdrawal-cancel', { withdrawalId })).body).toMatchObject({ status: 2 });
    await payer.untilWithdrawn(withdrawalId, 2);
  };
  await grant(payer, '100.00');
  await Promise.all([paidIn(), thoughtBetterOf(), paidLate(), cashedOut(), keptIt()]);
}

async function grant(payer: Payer, amount: string): Promise<void> {
  const transfer = { transferId: randomUUID(), amount, currency: 'USD', from: 'operator', to: 'main' };
  expect((await payer.insistAsOperator(`users/${payer.userId}/transfers`, transfer)).status).toBe(200);
}

/** A deposit and a withdrawal expire. */
async function letEverythingExpire(payer: Payer): Promise<void> {
  const isOver = (table: string, id: string) =>
    cluster.query(`update ${table} set expires_at = now() - interval '1 second' where id = $1`, [id]);
  const unpaid = async () => {
    const id = await payer.create(randomUUID(), '30.00');
    await isOver('deposit', id);
    await payer.untilOver(id);
  };
  const unconfirmed = async () => {
    const withdrawalId = randomUUID();
    expect((await payer.insist('withdrawal-create', intentOfWithdrawal(withdrawalId, '10.00'))).status).toBe(200);
    await isOver('withdrawal', withdrawalId);
    await payer.untilWithdrawn(withdrawalId, 2);
  };
  await grant(payer, '84.95');
  await Promise.all([unpaid(), unconfirmed()]);
}

/** Staff of the operator decide about payments. */
async function waitForPeople(payer: Payer): Promise<void> {
  const paidHalf = async () => {
    const id = await payer.create(randomUUID(), '40.07');
    await expect
      .poll(() => cluster.query('select 1 from deposit where id = $1 and review is not null', [id]), pollFor)
      .toHaveLength(1);
    const decision = { decision: 'credit', staff: 'eve' };
    expect((await payer.insistAsOperator(`reviews/deposit-${id}-1/resolve`, decision)).status).toBe(200);
    await payer.untilProcessed(id);
  };
  const approved = async () => {
    const withdrawalId = randomUUID();
    expect((await payer.insist('withdrawal-create', intentOfWithdrawal(withdrawalId, '60.05'))).status).toBe(200);
    expect((await payer.insist('withdrawal-confirm', { withdrawalId })).status).toBe(200);
    const decision = { decisionId: randomUUID(), decidedBy: 'eve' };
    expect((await payer.insistAsOperator(`withdrawals/${withdrawalId}/approve`, decision)).status).toBe(200);
    await payer.untilWithdrawn(withdrawalId, 1);
  };
  await grant(payer, '124.97');
  await Promise.all([paidHalf(), approved()]);
}

const acted: Story = { happens: doEverything, deposits: { cancelled: 1, credited: 1, refunded: 1 } };
const forgotten: Story = { happens: letEverythingExpire, deposits: { expired: 1 } };
const decided: Story = { happens: waitForPeople, deposits: { credited: 1 } };

/** Fails when a story never reaches its failpoint, since then no server dies. */
function storyOf(point: string): Story {
  if (/expir/.test(point)) return forgotten;
  return /review|approval/.test(point) ? decided : acted;
}

for (const point of failpoints) {
  test(`[SRV-2] [SRV-3] [SRV-5] [SRV-6] killed at ${point}: the same intents under the same keys come to the same end`, {
    timeout: rounds * 240_000,
  }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const payer = await Payer.of(cluster);
      const story = storyOf(point);
      await dieDuring(cluster, point, () => story.happens(payer));
      payers.push(payer);
      expect(await balanceOf(cluster, payer.userId)).toBe(84_95n);
      expect(
        await cluster.query(
          `select state, count(*)::int as times from deposit where user_id = $1 group by state order by state`,
          [payer.userId],
        ),
      ).toEqual(Object.entries(story.deposits).map(([state, times]) => ({ state, times })));
      await expectSoundBooks(cluster);
    }
  });
}

for (const point of walletFailpoints) {
  for (const [what, moment] of Object.entries(walletMoments)) {
    test(`[SRV-2] [WD-2] killed at ${point} of ${what}: the operator's wallet moves each amount once, and agrees with the ledger`, {
      timeout: rounds * 240_000,
    }, async () => {
      for (let round = 0; round < rounds; round += 1) {
        await surviveWalletDeath(cluster, wallet, point, moment);
      }
    });
  }
}

test('[SRV-2] after all deaths the audit of the whole ledger finds no fault, also in the calls to the wallet', async () => {
  await expectSoundAudit(cluster);
});

test('[SRV-2] [SRV-3] when everything is reported and settled, all balances are right', async () => {
  await untilQuiet(cluster);
  await expectSoundBooks(cluster);
  const balances = await Promise.all(payers.map(({ userId }) => balanceOf(cluster, userId)));
  expect(new Set(balances)).toEqual(new Set([84_95n]));
  expect(payers.length).toBe(failpoints.length * rounds);
}, 240_000);

test('[SRV-5] despite all these crashes the operator got a webhook for every event, and each event has one id', async () => {
  const queued = await cluster.query<{ id: string }>('select id::text from webhook_delivery');
  expect([...new Set(cluster.received.map(({ id }) => id))].sort()).toEqual(queued.map(({ id }) => id).sort());
  const named = cluster.received.map(({ id, type, paymentId }) => `${id} ${type} ${paymentId}`);
  expect(new Set(named).size).toBe(queued.length);
});

test('[SRV-9] no released build has failpoints, and the build that has them moves no real money', async () => {
  const given = readdirSync(`${server}dist`).filter((name) => name.endsWith('.js'));
  expect(given).toContain('main.js');
  expect(given.filter((name) => readFileSync(`${server}dist/${name}`, 'utf8').includes('dieAt'))).toEqual([]);
  const real = await run(process.execPath, [`${server}.cache/faults/dying-main.js`], { env: { SANDBOX: '0' } });
  expect([real.ok, real.output]).toEqual([false, expect.stringContaining('moves no real money')]);
});
