/** Two cells behind one router. Each operator lives in one cell, and nothing of it is in the other. */
import { randomUUID } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signed, written } from './callbacks.ts';
import { type CellOperator, Cells } from './cells.ts';
import type { Cluster } from './cluster.ts';
import { expectSoundBooks, untilQuiet } from './invariants.ts';
import { intentOfDeposit, intentOfWithdrawal, Payer } from './payer.ts';

const soon = { timeout: 30_000, interval: 30 };
/** Every operator has a user of this name. */
const sameName = 'user-1';
/** Two deposits of 25.00, and a withdrawal of 20.00. */
const expectedBalance = 30_00;

let cells: Cells;
const sockets: Socket[] = [];
beforeAll(async () => {
  cells = await Cells.start();
});
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await cells?.stop();
});

const clusterOf = ({ cell }: CellOperator): Cluster => cells.cluster(cell);

/** A user's socket, through the router. */
async function connected(operator: CellOperator, token: string): Promise<{ socket: Socket; credited: string[] }> {
  const socket = io(operator.url, {
    path: '/v4/socket.io',
    transports: ['websocket'],
    forceNew: true,
    auth: { token },
  });
  sockets.push(socket);
  const credited: string[] = [];
  socket.on('deposit.status', ({ depositId, status }: { depositId: string; status: number }) => {
    if (status === 1) credited.push(depositId);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return { socket, credited };
}

async function providerRefOf(operator: CellOperator, depositId: string): Promise<string> {
  const sql = 'select ref from sandbox_payment where deposit_id = $1';
  return (await clusterOf(operator).query<{ ref: string }>(sql, [depositId]))[0]?.ref ?? '';
}

/** The provider's callback to the public address of a cell, signed with the secret of `signer`. */
async function callBack(cell: string, signer: Cluster, depositId: string, ref: string): Promise<number> {
  const { body, headers } = signed(written({ depositId, ref }), signer.providerSecret);
  const answer = await fetch(`${cells.urlOf(cell)}/providers/sandbox/callbacks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', ...headers },
    body,
  });
  return answer.status;
}

/** Two deposits and a withdrawal of one user, by both transports. */
async function payAndWithdraw(operator: CellOperator): Promise<void> {
  const payer = await Payer.of(operator, sameName);
  const { socket, credited } = await connected(operator, payer.token);
  const list = { country: 'IN', currency: 'USD' };
  expect((await payer.post('methods-payment-v5', list)).status).toBe(200);
  expect((await socket.timeout(15_000).emitWithAck('BANKING:methods-payment-v5', list)).status).toBe(200);

  // The sandbox reports the first deposit to the node that asked it. The second report comes through the router.
  const byPage = await payer.create();
  await payer.pay(byPage);
  const byCallback = randomUUID();
  const made = await socket.timeout(15_000).emitWithAck('BANKING:deposit-create', intentOfDeposit(byCallback, '25.00'));
  expect(made.status).toBe(200);
  const ref = await providerRefOf(operator, byCallback);
  expect(await callBack(operator.cell, clusterOf(operator), byCallback, ref)).toBe(202);
  await expect.poll(() => [...credited].sort(), soon).toEqual([byPage, byCallback].sort());

  const withdrawalId = randomUUID();
  expect((await payer.post('withdrawal-create', intentOfWithdrawal(withdrawalId, '20.00'))).status).toBe(200);
  expect((await payer.post('withdrawal-confirm', { withdrawalId })).status).toBe(200);
  await payer.untilWithdrawn(withdrawalId, 1);

  const told = (id: string): string[] =>
    operator.webhooks.filter((hook) => hook.paymentId === id).map(({ type }) => type);
  await expect
    .poll(() => [byPage, byCallback].map((id) => told(id).includes('deposit.processed')), soon)
    .toEqual([true, true]);
  await expect.poll(() => told(withdrawalId), soon).toContain('withdrawal.processed');
}

test('[SRV-7] through one router, users of operators in two cells pay by both transports and withdraw', async () => {
  await Promise.all([...cells.operators.values()].map(payAndWithdraw));
  const hooks = [...cells.operators.values()].flatMap(({ webhooks }) => webhooks);
  expect(hooks.filter(({ isGenuine }) => !isGenuine)).toEqual([]);
});

test('[SRV-9] the page of the widget is framed by the sites of its operator, and by nobody from another cell', async () => {
  const acme = cells.operator('acme');
  const framedBy = async (url: string): Promise<string> => {
    const answer = await fetch(`${url}/cashier/?partner=acme`, { headers: { connection: 'close' } });
    return /frame-ancestors ([^;]*)/.exec(answer.headers.get('content-security-policy') ?? '')?.[1] ?? '';
  };
  await expect.poll(() => framedBy(acme.url), soon).toBe('https://www.acme.example');
  expect(await framedBy(cells.operator('bolt').url)).toBe(`'none'`);
});

test('[SRV-2] no database has a row of an operator of the other cell, and every book has its own credits', async () => {
  for (const [cell, cluster] of cells.clusters) {
    await untilQuiet(cluster);
    const own = [...cells.operators.values()]
      .filter((operator) => operator.cell === cell)
      .map(({ partner }) => partner);
    const tables = await cluster.query<{ name: string }>(
      `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and column_name = 'operator_id' and table_type = 'BASE TABLE'`,
    );
    const seen = new Set<string>();
    for (const { name } of tables) {
      const rows = await cluster.query<{ id: string }>(`select distinct operator_id as id from "${name}"`);
      expect(
        rows.filter(({ id }) => !own.includes(id)),
        name,
      ).toEqual([]);
      if (rows.length > 0) seen.add(name);
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(['account', 'deposit', 'journal', 'webhook_delivery', 'withdrawal']),
    );
    const balances = await cluster.query<{ operator: string; balance: number }>(
      `select operator_id as operator, balance::int as balance from account
        where owner = $1 and kind = 'user' and asset = 'USD' order by 1`,
      [sameName],
    );
    expect(balances).toEqual([...own].sort().map((operator) => ({ operator, balance: expectedBalance })));
    await expectSoundBooks(cluster);
    expect(await cells.run(cell, ['audit', '--full'])).toMatchObject({ exitCode: 0, out: 'The ledger is sound.\n' });
  }
});

test('[SRV-1] a key, a token or a callback is worth nothing in another cell', async () => {
  const [acme, bolt] = [cells.operator('acme'), cells.operator('bolt')];
  const payer = await Payer.of(acme);
  const depositId = await payer.create();
  const ref = await providerRefOf(acme, depositId);
  const balances = await fetch(`${bolt.url}/operator/v1/users/${sameName}/balances`, {
    headers: { authorization: `Bearer ${acme.secretKey}`, connection: 'close' },
  });
  expect(balances.status).toBe(401);
  expect((await payer.post('methods-payment-v5', { country: 'IN', currency: 'USD' }, bolt.url)).status).toBe(401);
  expect(await callBack(bolt.cell, clusterOf(acme), depositId, ref)).toBe(401);

  // Two cells with one account at a provider get each other's callbacks: they are kept for staff and credit nothing.
  expect(await callBack(bolt.cell, clusterOf(bolt), depositId, ref)).toBe(202);
  await expect.poll(async () => (await cells.run(bolt.cell, ['reports', 'unmatched'])).out, soon).toContain(depositId);
  const [deposit] = await clusterOf(acme).query<{ state: string }>('select state from deposit where id = $1', [
    depositId,
  ]);
  expect(deposit?.state).toBe('awaiting_payment');
});

test('[SRV-1] `opencashier find` asks every cell, and says which one does not answer', async () => {
  const list = [...cells.clusters].map(([cell, { postgres }]) => `${cell}=${postgres.url}`);
  const find = (databases: readonly string[], ...args: string[]) =>
    cells.run('cell-a', ['find', ...args], { CELL_DATABASES: databases.join(',') });
  const all = await find(list, sameName, '--json');
  expect(all).toMatchObject({ exitCode: 0, errors: '' });
  const found = all.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { cell: string; operator: string; type: string });
  const names = new Set(found.map(({ cell, operator, type }) => `${cell} ${operator} ${type}`));
  const expected = [...cells.operators.values()].flatMap(({ cell, partner }) =>
    ['deposit', 'withdrawal'].map((type) => `${cell} ${partner} ${type}`),
  );
  expect([...names].sort()).toEqual(expected.sort());

  const one = await find(list, sameName, '--operator', 'bolt');
  expect([one.exitCode, one.errors]).toEqual([0, '']);
  expect(one.out.match(/^cell .*$/gm)).toEqual(['cell cell-b']);
  expect(await find(list, sameName, '--operator', 'nobody')).toMatchObject({ exitCode: 1, out: '' });

  const halved = await find([...list.slice(0, 1), 'cell-b=postgres://cashier@127.0.0.1:1/postgres'], sameName);
  expect(halved.exitCode).toBe(1);
  expect(halved.errors).toContain('Cell cell-b was not searched');
  expect(halved.out).toContain('operator acme');
});

test('[SRV-7] a cell that dies takes its own operators along and nobody else', async () => {
  const [acme, bolt] = [cells.operator('acme'), cells.operator('bolt')];
  const [waiting, other] = [await Payer.of(acme), await Payer.of(bolt)];
  const unpaid = await waiting.create();
  const ref = await providerRefOf(acme, unpaid);
  const { credited } = await connected(bolt, other.token);
  const made: string[] = [];
  const failed: unknown[] = [];
  /** A deposit that is tried once, until its user hears of the credit. */
  const payOnce = async (): Promise<void> => {
    const depositId = randomUUID();
    const { status } = await other.post('deposit-create', intentOfDeposit(depositId, '25.00'));
    const answered = await callBack(bolt.cell, clusterOf(bolt), depositId, await providerRefOf(bolt, depositId));
    if (status !== 200 || answered !== 202) failed.push([status, answered]);
    made.push(depositId);
    await expect.poll(() => credited.includes(depositId), soon).toBe(true);
  };

  await payOnce();
  const load = Promise.all(Array.from({ length: 20 }, payOnce));
  await Promise.all([clusterOf(acme).endNode(0, 'SIGKILL'), clusterOf(acme).postgres.crash()]);
  await load;
  for (let more = 0; more < 5; more += 1) await payOnce();
  expect(failed).toEqual([]);
  expect(new Set(credited)).toEqual(new Set(made));
  // Of a proxy. The provider sends the callback again.
  expect(await callBack(acme.cell, clusterOf(acme), unpaid, ref)).toBeGreaterThanOrEqual(502);
  await expect(waiting.post('deposit-create', intentOfDeposit(randomUUID(), '25.00'))).rejects.toThrow();

  await clusterOf(acme).postgres.start();
  await clusterOf(acme).startNode(0);
  // A proxy notices a moment later that the cell is back.
  await expect.poll(() => callBack(acme.cell, clusterOf(acme), unpaid, ref), soon).toBe(202);
  await waiting.untilProcessed(unpaid);
  for (const cluster of cells.clusters.values()) await expectSoundBooks(cluster);
});
