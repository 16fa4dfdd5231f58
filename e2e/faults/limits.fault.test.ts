import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Cluster } from './cluster.ts';

/** Calls of `deposit-cancel` that a user may make in a minute. The limit counts unread requests, so an empty one will do. */
const limit = 10;

let cluster: Cluster;

beforeAll(async () => {
  cluster = await Cluster.start({ env: { RATE_LIMITS: '1' } });
});
afterAll(() => cluster?.stop());

/** Calls both nodes in turn. Answers the statuses, and the time of the slowest answer in ms. */
async function callBoth(userId: string, times: number): Promise<{ refused: number; slowest: number }> {
  const token = await cluster.mintToken(userId);
  let [refused, slowest] = [0, 0];
  for (let call = 0; call < times; call += 1) {
    const startedAt = performance.now();
    const { status } = await fetch(`${cluster.nodes[call % 2]?.url}/api/BANKING/deposit-cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
      body: '{}',
    });
    slowest = Math.max(slowest, performance.now() - startedAt);
    expect([400, 429]).toContain(status);
    if (status === 429) refused += 1;
  }
  return { refused, slowest };
}

/**
 * Twice the limit, half of it at each node: nothing would be refused if each node counted by itself. On a busy machine Redis may answer
 * late, and a node then counts by itself for a second. The test then tries again with another user.
 */
async function expectOneCount(): Promise<void> {
  await expect
    .poll(async () => (await callBoth(`anybody-${randomUUID()}`, limit * 2)).refused, {
      timeout: 150_000,
      interval: 500,
    })
    .toBe(limit);
}

test('[SRV-9] two nodes count one limit per user in Redis', async () => {
  await expectOneCount();
});

test('[SRV-9] Redis that hangs holds up no call for long, and each node limits by its own count', async () => {
  const socket = connect(Number(new URL(cluster.redis.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('CLIENT PAUSE 20000 ALL\r\n');
  await once(socket, 'data');
  socket.destroy();
  const { refused, slowest } = await callBoth('while-it-hangs', limit * 3);
  expect(refused).toBe(limit);
  // 50 ms for Redis, the rest for a busy machine. A call that waited for Redis would take until its time limit.
  expect(slowest).toBeLessThan(5_000);
});

test('[SRV-9] Redis that is gone lifts no limit, and the nodes count together again when it is back', async () => {
  await cluster.redis.kill();
  expect((await callBoth('while-it-is-gone', limit * 3)).refused).toBe(limit);
  await cluster.redis.start();
  await expectOneCount();
});
