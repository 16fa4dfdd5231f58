import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Cluster } from './cluster.ts';
import { expectInvariants } from './invariants.ts';
import { Payer } from './payer.ts';

/** How often each fault happens. `npm run test:faults` raises it. */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
const payersPerRound = 12;
/** Longer than any lease of the server. */
const leasesAreOverS = 70;
/** In the long form the first round waits for the leases in real time. All others move the time in the database. */
const isWaitedIn = (round: number): boolean => rounds > 1 && round === 0;

let cluster: Cluster;

beforeAll(async () => {
  cluster = await Cluster.start({ nodes: 1 });
});

afterAll(() => cluster.stop());

/** Many deposits at once, with a fault at a random moment. The retries of each widget finish its deposit. */
async function survive(fault: () => Promise<void>, isWaited: boolean): Promise<Payer[]> {
  const payers = await Promise.all(Array.from({ length: payersPerRound }, () => Payer.of(cluster)));
  const deposits = payers.map(async (payer) => {
    const id = await payer.create();
    await payer.pay(id);
    await payer.untilProcessed(id);
  });
  await new Promise((resolve) => setTimeout(resolve, randomInt(400)));
  await fault();
  if (!isWaited) await cluster.passTime(leasesAreOverS);
  await Promise.all(deposits);
  return payers;
}

test(`[SRV-3] [SRV-6] a server that is killed at any moment (${rounds} of them): every deposit is there and credited once`, {
  timeout: rounds * 240_000,
}, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const payers = await survive(async () => {
      await cluster.endNode(0, 'SIGKILL');
      await cluster.startNode(0);
    }, isWaitedIn(round));
    await expectInvariants(cluster, payers);
  }
});

test(`[SRV-2] [SRV-3] a database that crashes under load (${rounds} of them): nothing acknowledged is lost, the server stays up`, {
  timeout: rounds * 240_000,
}, async () => {
  const program = cluster.nodes[0]?.child?.pid;
  for (let round = 0; round < rounds; round += 1) {
    const payers = await survive(async () => {
      await cluster.postgres.crash();
      await cluster.postgres.start();
    }, isWaitedIn(round));
    await expectInvariants(cluster, payers);
  }
  expect(cluster.nodes[0]?.child?.pid).toBe(program);
  expect(cluster.nodes[0]?.child?.exitCode).toBeNull();
});

test('[SRV-5] the operator gets a webhook for each credit, and each repeat has the same id', async () => {
  const credited = await cluster.query<{ deposit_id: string }>(
    `select deposit_id from journal where kind = 'deposit_credit'`,
  );
  expect(credited.length).toBeGreaterThan(0);
  await vi.waitFor(
    () => {
      const told = cluster.received.filter(({ type }) => type === 'deposit.processed');
      const ids = new Map<string, Set<string>>();
      for (const { paymentId, id } of told) ids.set(paymentId, (ids.get(paymentId) ?? new Set()).add(id));
      expect([...ids.keys()].sort()).toEqual(credited.map(({ deposit_id }) => deposit_id).sort());
      expect([...ids.values()].filter(({ size }) => size !== 1)).toEqual([]);
    },
    { timeout: 200_000, interval: 200 },
  );
}, 240_000);
