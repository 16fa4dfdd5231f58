/**
 * A process ends at every failpoint of a payout by a bank's file, from the withdrawal to the booked statement, many times. After its end it
 * reaches the database no more, and another process goes on. `e2e/faults/payout-files.fault.test.ts` kills whole servers, which is slower.
 * PAYOUT_DEATHS: deaths at each failpoint.
 */
import { randomUUID } from 'node:crypto';
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CatalogueMethod } from '../catalogue/catalogue.ts';
import type { Database } from '../database/database.ts';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { createDueWorker } from '../jobs/due-worker.ts';
import { accountBalance } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { noSpans } from '../observability/spans.ts';
import { type Failpoint, payoutFailpoints, payoutFileFailpoints } from '../payment-ports/failpoints.ts';
import { ann, createBench, createFakeCatalogue, SECRET, seedOperator } from '../payments/testing/payments.fixture.ts';
import { applyBankMessage } from '../payout-files/apply-bank-message.ts';
import { buildPayoutFiles } from '../payout-files/build-files.ts';
import { downloadFile, handOver } from '../payout-files/hand-over.ts';
import { continueBankMessages } from '../payout-files/message-steps.ts';
import { openSepaAccount, SEPA } from '../providers/sepa/sepa.ts';
import { sepaAccountOf } from '../providers/sepa/sepa-account.ts';
import { createDataKeys } from '../sealing/data-keys.ts';
import { intent, userWith } from '../withdrawals/withdrawals.fixture.ts';
import type { MortalDatabase } from './dying-process.fixture.ts';
import { expectPaidOnce, Processes } from './mortal-processes.fixture.ts';
import { statementOf } from './sepa-messages.fixture.ts';

const deaths = Number(process.env['PAYOUT_DEATHS'] ?? 1);
/** Only a payout of several refunds has a part that is refused. */
const ofPayouts = payoutFailpoints.filter((point) => point !== 'payout-refunds-declined');
const points: readonly Failpoint[] = [...ofPayouts, ...payoutFileFailpoints];

const connectionId = randomUUID();
const account = {
  operatorId: ann.operatorId,
  connectionId,
  secrets: { iban: 'DE89370400440532013000' },
  options: { name: 'Example Casino', batchMinutes: '1440' },
};
const payee = { iban: 'DE02120300000000202051', fullName: 'Ann Example' };
const dataKeys = createDataKeys([SECRET]);
/** References of all transfers in the files that the bank got. */
const sentToBank: string[] = [];

let opened: TestDatabase;
let database: Database;
beforeAll(async () => {
  opened = await openTestDatabase();
  ({ database } = opened);
  await seedOperator(database);
  await database.query({
    text: `insert into provider_connection (operator_id, id, provider, name, mode, currencies, options, shown, sealed, wrapped_key, key_id, enabled, first_enabled_at)
      values ($1, $2, 'sepa', 'bank', 'test', '{EUR}', '{}', '{}', $3, $3, 'k', true, now())`,
    values: [ann.operatorId, connectionId, Buffer.alloc(64, 1)],
  });
});
afterAll(() => opened?.drop());

const fakes = createFakeCatalogue();
const catalogue = {
  ...fakes,
  method: (): CatalogueMethod | undefined => {
    const method = fakes.method({ operatorId: ann.operatorId, name: 'payout_card' });
    const fields = Object.keys(payee).map((name) => ({ name, type: 'text' as const, regex: '^.+$' }));
    return method && { ...method, provider: SEPA, fields, fees: {}, amount_rules: { EUR: { min: '1', max: '1000' } } };
  },
};

/** A process with the payments, the builder of files, and the worker that continues the bank's messages. */
function open({ database: own, failpoint }: MortalDatabase) {
  const ports = { database: own, dataKeys, clock: systemClock, logger: silentLogger, failpoint };
  const chosen = { provider: SEPA, connection: { id: connectionId, version: 1 }, paysOut: true };
  const provider = openSepaAccount(own, dataKeys)(account);
  const connections = {
    choose: () => chosen,
    open: async () => provider,
    openForCallback: async () => provider,
    isKnown: () => true,
    refunds: () => false,
    follow: async () => undefined,
  };
  const { payments } = createBench(own, { catalogue, connections, providers: new Map(), failpoint });
  const workerPorts = { clock: systemClock, logger: silentLogger, spans: noSpans };
  const files = createDueWorker(
    buildPayoutFiles({ ...ports, accountOf: async () => sepaAccountOf(account) }),
    workerPorts,
  );
  const messages = createDueWorker(continueBankMessages(ports), workerPorts);
  return {
    payments,
    ports,
    async runDueWork() {
      await files.runDue();
      await messages.runDue();
    },
  };
}

/** The file of the withdrawals, whose time comes at once. */
async function fileOf(processes: Processes<ReturnType<typeof open>>, ids: readonly string[]): Promise<string> {
  let files: (string | null)[] = [];
  await processes.until(async () => {
    await database.query({ text: `update payout_transfer set due_at = now() where state = 'queued'` });
    const rows = await database.query<{ file: string | null }>({
      text: 'select distinct file_id as file from payout_transfer where withdrawal_id = any($1::uuid[])',
      values: [ids],
    });
    files = rows.map(({ file }) => file);
    return files.every((file) => file !== null);
  });
  const [file] = files;
  if (files.length !== 1 || file === undefined || file === null) throw new Error('The withdrawals are not in one file');
  return file;
}

/** Two withdrawals, their file, the bank's statement, and the end. Every step is repeated until it is answered. */
async function payOut(point: Failpoint): Promise<void> {
  const caller = await userWith(database, { minor: 10_000n, currency: 'EUR', provider: SEPA });
  const { operatorId, userId } = caller;
  const processes = new Processes(database, open, point);
  const commands = ['20.50', '30.50'].map((amount) => intent(caller, { amount, currency: 'EUR', fields: payee }));
  const ids = commands.map(({ request }) => request.withdrawalId);
  for (const command of commands) {
    const { withdrawalId } = command.request;
    await processes.insist(({ payments }) => payments.withdrawals.create(command));
    await processes.insist(({ payments }) => payments.withdrawals.confirm(caller, withdrawalId));
  }
  const fileId = await fileOf(processes, ids);
  const { content } = await processes.insist(({ ports }) => downloadFile(ports, operatorId, fileId, { by: 'ann' }));
  await processes.insist(({ ports }) => handOver(ports, operatorId, fileId, { by: 'bob' }));
  const transfers = [...content.matchAll(/<EndToEndId>(\w+)<.*?<InstdAmt Ccy="EUR">([\d.]+)</gs)].map(
    ([, reference = '', amount = '']) => ({ reference, cents: BigInt(amount.replace('.', '')) }),
  );
  expect(transfers.map(({ cents }) => cents).sort()).toEqual([2_050n, 3_050n]);
  sentToBank.push(...transfers.map(({ reference }) => reference));
  const bytes = Buffer.from(statementOf(transfers.map((one) => ({ direction: 'DBIT', ...one }))));
  const message = { operatorId, by: 'ann', name: 'statement.xml', bytes };
  const applied = await processes.insist(({ ports }) => applyBankMessage(ports, message));
  expect(applied).toMatchObject({ changed: 2, problems: [] });
  for (const id of ids) await processes.untilPaid(caller, id);
  expect(processes.first.isDead()).toBe(true);
  for (const id of ids) await expectPaidOnce(database, id);
  const of = (kind: 'user' | 'user_hold') =>
    accountBalance(database, operatorId, { owner: userId, asset: 'EUR', kind });
  expect([await of('user'), await of('user_hold')]).toEqual([4_900n, 0n]);
}

test.each(points)(
  '[WD-2] [SRV-3] the process ends at %s: each transfer is in one file, and paid once',
  {
    timeout: 60_000 + deaths * 10_000,
  },
  async (point) => {
    for (let death = 0; death < deaths; death += 1) await payOut(point);
  },
);

test('[WD-2] [SRV-2] after all deaths no transfer was sent twice, and the audit of the whole ledger finds no fault', async () => {
  expect(sentToBank).toHaveLength(points.length * deaths * 2);
  expect(new Set(sentToBank).size).toBe(sentToBank.length);
  const [files] = await database.query({ text: 'select count(*)::int as built from payout_file' });
  expect(files).toEqual({ built: points.length * deaths });
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});
