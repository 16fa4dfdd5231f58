/** The sandbox has a list of its own, so that reconciliation can be practised with payments, chargebacks and a silent company. */
import { systemClock } from '@opencashier/core/time/clock';
import { expect, test } from 'vitest';
import type { CatalogueMethod } from '../catalogue/catalogue.ts';
import { type ConnectionPorts, createConnection } from '../connections/change-connections.ts';
import type { Database } from '../database/database.ts';
import { silentLogger } from '../database/testing/test-database.ts';
import { commandOf, createBench, createFakeCatalogue } from '../payments/testing/payments.fixture.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import { listMovements } from '../providers/sandbox/list-movements.ts';
import { createSandboxProvider } from '../providers/sandbox/sandbox.ts';
import { sandboxConnections } from '../providers/sandbox/sandbox-connection.ts';
import { createMasterKeys, localMasterKey } from '../sealing/master-keys.ts';
import { readConnectionList } from './connection-list.ts';
import { mismatchPage } from './mismatch-page.ts';
import { decideTakeBack, proposeTakeBack } from './take-back.ts';

let database: Database;
withPayments((made) => {
  ({ database } = made);
});

/** The list of a day is read when the day is over. At noon, so that seconds later are of the same day. */
const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const yesterday = { ...systemClock, now: () => Date.parse(`${day}T12:00:00Z`) };
const callbackSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

async function connect(name: string, mood = 'well') {
  const ports: ConnectionPorts = {
    database,
    kinds: new Map([['sandbox', sandboxConnections(database, systemClock)]]),
    masterKeys: createMasterKeys([localMasterKey('2026-11', 'k'.repeat(40))]),
    mode: 'test',
    clock: systemClock,
  };
  const wanted = {
    provider: 'sandbox',
    name,
    mode: 'test',
    currencies: ['INR'],
    options: { mood },
    secrets: { callbackSecret },
  };
  const { id } = await createConnection(ports, 'op', { by: 'eve' }, { ...wanted, mode: 'test' });
  return {
    id,
    read: () => readConnectionList(ports, { operatorId: 'op', by: 'eve', connectionId: id, from: day, to: day }),
  };
}

/** The company with one account, and payments there. What it does later has its own times. */
function companyOf(connectionId: string) {
  let laterMs = 0;
  const sandbox = createSandboxProvider({
    isAllowed: true,
    publicUrl: 'http://sandbox.example',
    secret: callbackSecret,
    accountOf: async () => undefined,
    database,
    clock: { ...yesterday, now: () => yesterday.now() + laterMs },
    log: silentLogger,
  });
  const provider = sandbox.openAccount({ operatorId: 'op', connectionId, secrets: { callbackSecret }, options: {} });
  const fakes = createFakeCatalogue();
  const method = fakes.method({ operatorId: 'op', name: commandOf().request.paymentType });
  if (method === undefined) throw new Error('The fixture has no such method');
  const catalogue = {
    ...fakes,
    method: (): CatalogueMethod => ({ ...method, provider: 'sandbox', providerOptions: {} }),
  };
  const { payments } = createBench(database, { catalogue, providers: new Map([['sandbox', provider]]) });
  const hear = async (depositId: string): Promise<void> => {
    const report = await provider.inquire({ depositId });
    if (report !== undefined) await payments.apply(report);
  };
  return {
    /** The cashier hears of the payment after so many milliseconds. */
    async hearAfter(depositId: string, ms: number): Promise<void> {
      laterMs = ms;
      await hear(depositId);
    },
    /** @param isBooked whether the cashier hears of it */
    async pay(amount: string, isBooked = true): Promise<string> {
      const { request } = commandOf({ amount });
      await payments.createDeposit(commandOf(request));
      if (isBooked) await hear(request.depositId);
      return request.depositId;
    },
  };
}

test('[SRV-1] [SRV-2] a list of the sandbox has the payments of its account, and finds the one that nobody heard of', async () => {
  const { id, read } = await connect('practice');
  const other = await connect('beside');
  const company = companyOf(id);
  for (let n = 0; n < 3; n += 1) await company.pay('500.05');
  const lost = await company.pay('700.05', false);
  await companyOf(other.id).pay('900.05');
  const pages: string[][] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const asked = { from: day, to: day, cursor };
    const page = await listMovements(database, systemClock, { connectionId: id, options: {} }, asked, 3);
    if (page.kind !== 'page') throw new Error(page.why);
    pages.push(page.movements.map(({ kind, amountMinor }) => `${kind} ${amountMinor}`));
    cursor = page.next;
    more = cursor !== undefined;
  }
  expect(pages.map((page) => page.length)).toEqual([3, 1]);
  expect(pages.flat().toSorted()).toEqual([...Array.from({ length: 3 }, () => 'payment 50005'), 'payment 70005']);
  expect(await read()).toMatchObject({
    outcome: 'imported',
    file: { lines: 4, matched: 3, mismatches: { 'missing-here': 1 } },
  });
  const [found] = (await mismatchPage(database, 'op', { state: 'open', limit: 10 })).mismatches;
  expect(found).toMatchObject({ class: 'missing-here', provider: 'sandbox', found: '700.05' });
  const [payment] = await database.query<{ ref: string }>({
    text: 'select ref from sandbox_payment where deposit_id = $1',
    values: [lost],
  });
  expect(found?.reference).toBe(payment?.ref);
  expect(await read()).toMatchObject({ outcome: 'known' });
});

test('[SRV-2] a list that two people took back settles nothing, and its days are read again', async () => {
  const { id, read } = await connect('again');
  const company = companyOf(id);
  await company.pay('500.07');
  const { file } = await read();
  expect(file).toMatchObject({ lines: 1, matched: 1 });
  const decisionId = crypto.randomUUID();
  const proposal = { decisionId, decidedBy: 'maria', reason: 'the wrong account' };
  await proposeTakeBack(database, 'op', file.fileId ?? '', proposal);
  const taken = await decideTakeBack(database, 'op', decisionId, { decision: 'confirm', decidedBy: 'ivan' });
  expect(taken).toMatchObject({ state: 'taken-back', lines: 1 });
  const again = await read();
  expect(again).toMatchObject({ outcome: 'imported', file: { lines: 1, matched: 1, mismatches: {} } });
  expect(again.file.fileId).not.toBe(file.fileId);
  expect(await read()).toMatchObject({ outcome: 'known' });
});

test('[SRV-2] a dispute that is won is a payment, a chargeback and a return in the list, and all of them match', async () => {
  const { id, read } = await connect('disputes');
  const company = companyOf(id);
  const depositId = await company.pay('500.31');
  await company.hearAfter(depositId, 5_000);
  await company.hearAfter(depositId, 10_000);
  const page = await listMovements(database, systemClock, { connectionId: id, options: {} }, { from: day, to: day });
  const moved = page.kind === 'page' ? page.movements : [];
  expect(moved.map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
    ['payment', 50_031n],
    ['chargeback', -50_031n],
    ['return', 50_031n],
  ]);
  expect(await read()).toMatchObject({ outcome: 'imported', file: { lines: 3, matched: 3, mismatches: {} } });
});

test('[SRV-2] a sandbox that is down has no list, and nothing is missing', async () => {
  const { id, read } = await connect('silent', 'down');
  await companyOf(id).pay('500.05');
  await expect(read()).rejects.toMatchObject({ code: 'temporarily-unavailable' });
  expect(
    (await mismatchPage(database, 'op', { state: 'open', limit: 10 })).mismatches.filter(
      (one) => one.class === 'missing-there',
    ),
  ).toEqual([]);
});
