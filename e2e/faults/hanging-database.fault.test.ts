/** PostgreSQL hangs with open connections: no request waits for it, and nothing happens twice when it continues. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Cluster } from './cluster.ts';
import { expectInvariants } from './invariants.ts';
import { intentOfDeposit, Payer } from './payer.ts';

/** Two seconds are promised. The rest is for a machine that is busy with other tests. */
const withinMs = 3_000;

let cluster: Cluster;

beforeAll(async () => {
  cluster = await Cluster.start();
});
afterAll(() => cluster?.stop());

interface Told {
  readonly depositId: string;
  readonly payer: Payer;
  readonly status: number;
  readonly code: string | undefined;
  readonly retryAfter: string | null;
  readonly ms: number;
}

async function create(payer: Payer, depositId: string = randomUUID()): Promise<Told> {
  const startedAt = performance.now();
  const response = await fetch(`${cluster.url}/api/BANKING/deposit-create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${payer.token}`, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(intentOfDeposit(depositId, '25.00')),
    signal: AbortSignal.timeout(30_000),
  });
  const { error } = (await response.json()) as { error?: { code: string } };
  return {
    depositId,
    payer,
    status: response.status,
    code: error?.code,
    retryAfter: response.headers.get('retry-after'),
    ms: performance.now() - startedAt,
  };
}

const readyAt = async (index: number): Promise<unknown> => {
  const response = await fetch(`${cluster.nodes[index]?.url}/ready`, { headers: { connection: 'close' } });
  return { status: response.status, body: await response.json() };
};

test('[SRV-9] [SRV-6] a database that hangs: 503 within 2 s and not ready; afterwards each intent is carried out once', async () => {
  const payers = await Promise.all(Array.from({ length: 4 }, () => Payer.of(cluster)));
  for (const payer of payers) await payer.create();
  const before = payers.flatMap((payer) => Array.from({ length: 5 }, () => create(payer)));
  cluster.postgres.freeze();
  const told = await Promise.all([
    ...before,
    ...payers.flatMap((payer) => Array.from({ length: 5 }, () => create(payer))),
  ]);
  const refused = told.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThanOrEqual(20);
  for (const { status, code, retryAfter } of refused) {
    expect(status).toBe(503);
    // The second deposit: the provider was called before the database hung, so its outcome is unknown.
    expect(['temporarily-unavailable', 'unknown-outcome']).toContain(code);
    expect(Number(retryAfter)).toBeGreaterThan(0);
  }
  expect(Math.max(...told.map(({ ms }) => ms))).toBeLessThan(withinMs);
  for (const index of cluster.nodes.keys()) {
    expect(await readyAt(index)).toMatchObject({ status: 503, body: { status: 'database-unavailable' } });
  }
  // The outage is known now, so calls are refused at once.
  const [payer] = payers;
  if (payer === undefined) throw new Error('nobody pays');
  const late = await create(payer);
  expect(late.status).toBe(503);
  expect(late.ms).toBeLessThan(1_000);

  cluster.postgres.thaw();
  await expect.poll(() => readyAt(0), { timeout: 30_000 }).toMatchObject({ status: 200 });
  // A refused call may have created its deposit all the same. The same key gets the same deposit.
  for (const { payer: one, depositId } of [...told, late]) await one.create(depositId);
  for (const one of payers) for (const depositId of one.deposits) await one.pay(depositId);
  for (const one of payers) for (const depositId of one.deposits) await one.untilProcessed(depositId);
  await expectInvariants(cluster, payers);
});
