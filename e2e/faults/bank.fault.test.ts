/**
 * Customers move money at random on two nodes while faults are injected. The answers that they got are compared with the ledger, and
 * the ledger is audited all the time. FAULT_SEED repeats the choices of a failed run.
 */
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from './bank-customer.ts';
import { expectHistory } from './bank-model.ts';
import { Cluster } from './cluster.ts';
import { Dice } from './dice.ts';
import { expectSoundBooks, untilQuiet } from './invariants.ts';

const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
const seed = Number(process.env['FAULT_SEED'] ?? randomInt(2 ** 31));
const users = 6;
/** Customers for each user: two act at the same time. */
const hands = 2;
/** Longer than any lease of the server. */
const leasesAreOverS = 70;

let cluster: Cluster;
beforeAll(async () => {
  cluster = await Cluster.start({ nodes: 2 });
});
afterAll(() => cluster?.stop());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const restart = async (node: number): Promise<void> => {
  await cluster.endNode(node, 'SIGKILL');
  await cluster.startNode(node);
};

/** The faults. Every round injects each of them, in random order. */
const nemeses: readonly (() => Promise<unknown>)[] = [
  () => restart(0),
  () => restart(1),
  async () => {
    await cluster.postgres.crash();
    await cluster.postgres.start();
  },
  async () => {
    await cluster.redis.kill();
    await pause(200);
    await cluster.redis.start();
  },
  async () => cluster.balancer.cut(),
  // Delays callbacks.
  () =>
    cluster.query(`update sandbox_callback set due_at = due_at + make_interval(secs => 3) where finished_at is null`),
  // Sends all accepted callbacks again.
  () => cluster.query('update sandbox_callback set finished_at = null, leased_until = null, result = null'),
  // Ends leases whose holders are alive, as when a node stands still for a minute.
  () => cluster.passTime(leasesAreOverS),
];

/** Audits the ledger repeatedly until it is stopped. Answers how often. */
async function readAllTheTime(isOver: () => boolean): Promise<number> {
  let reads = 0;
  while (!isOver()) {
    const wrong = await cluster
      .query(`select 'sum' from posting group by asset having sum(amount) <> 0
        union all select 'negative' from account where kind like 'user%' and balance < 0`)
      .catch(() => undefined);
    if (wrong !== undefined) {
      expect(wrong).toEqual([]);
      reads += 1;
    }
    await pause(50);
  }
  return reads;
}

test(`[SRV-2] [SRV-3] [SRV-6] [SRV-7] a bank with random faults, ${rounds} rounds of FAULT_SEED=${seed}`, {
  timeout: rounds * 300_000,
}, async () => {
  const dice = new Dice(seed);
  const customers = await Promise.all(
    Array.from({ length: users * hands }, (_, index) =>
      Customer.of(cluster, `customer-${index % users}`, new Dice(seed + index + 1)),
    ),
  );
  let [reads, faults, compared] = [0, 0, 0];
  for (let round = 0; round < rounds; round += 1) {
    let isOver = false;
    const reading = readAllTheTime(() => isOver);
    const work = customers.map(async (customer) => {
      while (!isOver) await customer.doSomething();
    });
    for (const harm of dice.shuffled(nemeses)) {
      await pause(100 + dice.below(300));
      await harm();
      faults += 1;
    }
    await cluster.passTime(leasesAreOverS);
    isOver = true;
    await Promise.all(work);
    reads += await reading;
    await untilQuiet(cluster);
    await expectSoundBooks(cluster);
    compared = await expectHistory(
      cluster,
      customers.flatMap(({ history }) => history),
    );
  }
  const history = customers.flatMap((customer) => customer.history);
  const count = (outcome: string): number => history.filter((operation) => operation.outcome === outcome).length;
  console.log(
    `bank: seed ${seed}, ${faults} faults, ${compared} operations (${count('done')} done, ${count('refused')} refused, ` +
      `${count('unknown')} unknown), ${reads} reads`,
  );
  expect(compared).toBeGreaterThan(users * hands);
});
