import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Cluster } from './cluster.ts';
import { expectInvariants } from './invariants.ts';
import { Payer } from './payer.ts';

let cluster: Cluster;
const sockets: Socket[] = [];

beforeAll(async () => {
  cluster = await Cluster.start();
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
});

afterAll(() => cluster.stop());

/** The statuses that were pushed to a socket of the user at one node. */
async function listen(payer: Payer, node: number): Promise<unknown[]> {
  const seen: unknown[] = [];
  const socket = io(cluster.nodes[node]?.url ?? '', {
    path: '/v4/socket.io',
    transports: ['websocket'],
    forceNew: true,
    auth: { token: payer.token },
  });
  sockets.push(socket);
  socket.on('deposit.status', ({ status }: { status: unknown }) => seen.push(status));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return seen;
}

async function deposit(payer: Payer): Promise<void> {
  const id = await payer.create();
  await payer.pay(id);
  await payer.untilProcessed(id);
}

test('[SRV-7] [NET-4] whichever node gets the callback, a user on either node gets one push', async () => {
  const payers = await Promise.all(Array.from({ length: 4 }, () => Payer.of(cluster)));
  for (const payer of payers) {
    const both = await Promise.all([listen(payer, 0), listen(payer, 1)]);
    await deposit(payer);
    await vi.waitFor(() => expect(both.map((seen) => seen.filter((status) => status === 1).length)).toEqual([1, 1]), {
      timeout: 30_000,
    });
  }
  await expectInvariants(cluster, payers);
});

test('[SRV-7] Redis that dies and forgets everything costs no money, and pushes come again', async () => {
  const payer = await Payer.of(cluster);
  await cluster.redis.kill();
  await deposit(payer);
  await cluster.redis.start();
  await vi.waitFor(
    async () => {
      const both = await Promise.all([listen(payer, 0), listen(payer, 1)]);
      await deposit(payer);
      await vi.waitFor(() => expect(both.every((seen) => seen.includes(1))).toBe(true), { timeout: 10_000 });
    },
    { timeout: 90_000 },
  );
  await expectInvariants(cluster, [payer]);
});

test('[SRV-7] [SRV-9] nodes restarted in turn under load lose nothing that was acknowledged', async () => {
  const payers = await Promise.all(Array.from({ length: 8 }, () => Payer.of(cluster)));
  let isOver = false;
  const load = Promise.all(
    payers.map(async (payer) => {
      while (!isOver) await deposit(payer);
    }),
  );
  for (const index of cluster.nodes.keys()) {
    await cluster.endNode(index, 'SIGTERM');
    await cluster.startNode(index);
  }
  isOver = true;
  await load;
  expect(payers.reduce((sum, { deposits }) => sum + deposits.length, 0)).toBeGreaterThan(payers.length);
  await expectInvariants(cluster, payers);
});
