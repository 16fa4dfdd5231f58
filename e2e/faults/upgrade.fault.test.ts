/**
 * A new version beside the old one on one database, under load: upgrade node by node, then back node by node. UPGRADE_CREATES (default
 * 600) says how many deposits are created; docs/reliability.md has the result of 10,000.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../scripts/machine/run.mjs';
import { Cluster } from './cluster.ts';
import { expectInvariants } from './invariants.ts';
import { intentOfDeposit, Payer } from './payer.ts';

const creates = Number(process.env['UPGRADE_CREATES'] ?? 600);
/** A busy machine creates 20 in a second. */
const patienceMs = 180_000 + creates * 50;
/** Node by node: which program it runs after the step. */
const steps = [
  { node: 0, program: 'newer' },
  { node: 1, program: 'newer' },
  { node: 0, program: 'production' },
  { node: 1, program: 'production' },
] as const;

let cluster: Cluster;
const agents: Agent[] = [];

beforeAll(async () => {
  const built = await run('vite', ['build', '--config', 'vite.faults.config.ts'], { cwd: 'apps/server' });
  if (!built.ok) throw new Error(built.output);
  cluster = await Cluster.start({ env: { DRAIN_SECONDS: '3' } });
});
afterAll(async () => {
  for (const agent of agents) agent.destroy();
  await cluster?.stop();
});

/** One try, as by a proxy that never repeats a payment. Undefined: no answer. */
function create(payer: Payer, depositId: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = httpRequest(`${cluster.url}/api/BANKING/deposit-create`, {
      method: 'POST',
      agent,
      headers: { authorization: `Bearer ${payer.token}`, 'content-type': 'application/json' },
      timeout: 30_000,
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(undefined));
    request.on('response', (response: IncomingMessage) => {
      response.resume().on('close', () => resolve(response.complete ? response.statusCode : undefined));
    });
    request.end(JSON.stringify(intentOfDeposit(depositId, '25.00')));
  });
}

test(
  `[SRV-7] [SRV-9] ${creates} creates while two nodes go to the next version and back: none fails`,
  async () => {
    const payers = await Promise.all(Array.from({ length: 8 }, () => Payer.of(cluster)));
    const failures: (number | undefined)[] = [];
    let made = 0;
    let isOver = false;
    const load = Promise.all(
      payers.map(async (payer, index) => {
        const agent = new Agent({ keepAlive: index % 2 === 0, maxSockets: 2 });
        agents.push(agent);
        while (!isOver) {
          const depositId = randomUUID();
          const status = await create(payer, depositId, agent);
          made += 1;
          if (status === 200) payer.deposits.push(depositId);
          else failures.push(status);
        }
      }),
    );
    const until = (count: number) => expect.poll(() => made, { timeout: patienceMs }).toBeGreaterThanOrEqual(count);
    for (const [step, { node, program }] of steps.entries()) {
      // Each stage has its share, so that every mixture of versions meets load.
      await until((creates * (step + 1)) / (steps.length + 1));
      expect((await cluster.endNode(node, 'SIGTERM')).exitCode).toBe(0);
      await cluster.startNode(node, program);
      await expect.poll(async () => (await fetch(`${cluster.url}/ready`)).status).toBe(200);
    }
    await until(creates);
    isOver = true;
    await load;
    console.log(`${made} creates, ${failures.length} failed`);
    expect(failures).toEqual([]);

    const stored = payers.flatMap(({ deposits }) => deposits);
    const [counts] = await cluster.query<{ rows: number; channels: number }>(
      `select count(*)::int as rows, (select count(*)::int from deposit_channel where deposit_id = any($1::uuid[])) as channels
      from deposit where id = any($1::uuid[])`,
      [stored],
    );
    expect(counts?.rows).toBe(stored.length);
    expect(counts?.channels, 'written for both versions from the migration on').toBeGreaterThan(0);
    const builds = await cluster.query<{ n: number }>('select count(*)::int as n from schema_build');
    expect(builds).toEqual([{ n: 2 }]);
  },
  patienceMs,
);

test('[SRV-2] after the way back, what was created is credited and the books are sound', async () => {
  const payer = await Payer.of(cluster);
  const depositId = await payer.create();
  await payer.pay(depositId);
  await payer.untilProcessed(depositId);
  await expectInvariants(cluster, [payer]);
});
