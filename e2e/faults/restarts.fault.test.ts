/** Nodes are stopped, as in an update of the cashier: no request fails, and each node ends in time with exit code 0. */
import { randomUUID } from 'node:crypto';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Cluster } from './cluster.ts';
import { expectInvariants } from './invariants.ts';
import { intentOfDeposit, Payer } from './payer.ts';

const stopWithinMs = 10_000;

let cluster: Cluster;
const agents: Agent[] = [];
const lines: Socket[] = [];

beforeAll(async () => {
  cluster = await Cluster.start({ env: { DRAIN_SECONDS: '3' } });
});
afterAll(async () => {
  for (const agent of agents) agent.destroy();
  for (const line of lines) line.destroy();
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

test('[SRV-9] [SRV-7] two nodes restarted in turn behind a balancer: no create fails, and each ends with 0 in time', async () => {
  const payers = await Promise.all(Array.from({ length: 8 }, () => Payer.of(cluster)));
  const failures: (number | undefined)[] = [];
  let isOver = false;
  const load = Promise.all(
    payers.map(async (payer, index) => {
      // Half of them keep their connections, as browsers and proxies do.
      const agent = new Agent({ keepAlive: index % 2 === 0, maxSockets: 2 });
      agents.push(agent);
      while (!isOver) {
        const depositId = randomUUID();
        const status = await create(payer, depositId, agent);
        if (status === 200) payer.deposits.push(depositId);
        else failures.push(status);
      }
    }),
  );
  const endings = [];
  for (const index of cluster.nodes.keys()) {
    endings.push(await cluster.endNode(index, 'SIGTERM'));
    await cluster.startNode(index);
    // The balancer has to notice that the node is back.
    await expect.poll(async () => (await fetch(`${cluster.url}/ready`)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  isOver = true;
  await load;
  expect(failures).toEqual([]);
  for (const { exitCode, ms } of endings) {
    expect(exitCode).toBe(0);
    expect(ms).toBeLessThan(stopWithinMs);
  }
  const made = payers.flatMap(({ deposits }) => deposits);
  expect(made.length).toBeGreaterThan(100);
  console.log(
    `${made.length} creates, none failed; the nodes took ${endings.map(({ ms }) => Math.round(ms)).join(', ')} ms`,
  );
  const rows = await cluster.query<{ id: string }>('select id from deposit where id = any($1::uuid[])', [made]);
  expect(rows).toHaveLength(made.length);
});

test('[SRV-9] a node with hanging requests still ends with 0 in time, and the other sends its webhooks', async () => {
  const payer = await Payer.of(cluster);
  cluster.isOperatorHanging = true;
  const depositId = await payer.create();
  await payer.pay(depositId);
  await payer.untilProcessed(depositId);
  const isClaimed = async () => {
    const [row] = await cluster.query<{ n: number }>(
      `select count(*)::int as n from webhook_queue join webhook_delivery delivery on delivery.id = delivery_id
        where deposit_id = $1 and attempts > 0`,
      [depositId],
    );
    return row?.n;
  };
  await expect.poll(isClaimed).toBe(1);

  for (const index of cluster.nodes.keys()) {
    const { port = 0, url = '' } = cluster.nodes[index] ?? {};
    // A kept-alive connection, an unfinished request, an unfinished upgrade, and a web socket.
    const kept = new Agent({ keepAlive: true });
    agents.push(kept);
    await new Promise<void>((resolve) => {
      httpRequest(`${url}/health`, { agent: kept }, (response) => response.resume().on('end', resolve)).end();
    });
    for (const said of [
      'POST /api/BANKING/deposit-create HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{',
      'GET /v4/socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n' +
        'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    ]) {
      const line = connect(port, '127.0.0.1');
      line.on('error', () => undefined);
      lines.push(line);
      line.write(said);
    }
    const socket = io(url, {
      path: '/v4/socket.io',
      transports: ['websocket'],
      forceNew: true,
      auth: { token: payer.token },
    });
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    const reason = new Promise<string>((resolve) => socket.once('disconnect', resolve));
    const { exitCode, ms } = await cluster.endNode(index, 'SIGTERM');
    expect(exitCode).toBe(0);
    expect(ms).toBeLessThan(stopWithinMs);
    expect(await reason).toBe('transport close');
    socket.disconnect();
    if (index === 0) await cluster.startNode(index);
  }
  cluster.isOperatorHanging = false;
  await cluster.startNode(1);
  // A row that a node could not give back in time is free again when its lease of 30 s ends.
  await expect
    .poll(() => cluster.received.filter(({ paymentId }) => paymentId === depositId).length, { timeout: 75_000 })
    .toBeGreaterThan(0);
  await expectInvariants(cluster, [payer]);
});
