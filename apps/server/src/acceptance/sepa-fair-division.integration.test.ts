/** While a bank's message of one operator is divided, the message of another operator is applied at once (WD-2, SRV-6). */
import { randomBytes } from 'node:crypto';
import { paymentInformationIdOf } from '@opencashier/core/sepa/payment-references';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { createOperator } from '../operators/manage-operators.ts';
import { applyBankMessage } from '../payout-files/apply-bank-message.ts';
import { continueBankMessages } from '../payout-files/message-steps.ts';
import type { PayoutFilePorts } from '../payout-files/payout-file-ports.ts';
import { createDataKeys } from '../sealing/data-keys.ts';
import { type RunningApp, startApp } from '../transports/testing/running-app.ts';
import { masterKey } from './connected-operator.fixture.ts';
import { reportOn, statementOf } from './sepa-messages.fixture.ts';
import { SepaOperator } from './sepa-operator.fixture.ts';
import { transferRefusals } from './sepa-refusals.fixture.ts';

type SepaFile = Awaited<ReturnType<SepaOperator['fileOf']>>;

const OTHER = 'other';
/** Steps of one part. The long message has three parts. */
const STEPS_AT_ONCE = 4;

let running: RunningApp;
let long: SepaFile;
let others: readonly SepaFile[];
/** Every statement of the test's own worker and imports. */
let statements: string[];
let ports: PayoutFilePorts;

const { sql, refuse, allow } = transferRefusals(() => running.database);

/** Three files of two operators. The cashier has stopped, so the test alone says when the worker looks. */
beforeEach(async () => {
  running = await startApp({ MASTER_KEY: masterKey('2026-01') });
  const operator = await SepaOperator.at(running);
  const made = await createOperator(running.database, { partnerKey: OTHER, name: 'Other', origins: [] });
  const other = await SepaOperator.at(running, {}, made?.secretKey);
  long = await operator.fileOf(...Array.from({ length: 10 }, (_, n) => `${20 + n}.50`));
  others = [await other.fileOf('20.50'), await other.fileOf('30.50')];
  await running.app.stop();
  statements = [];
  ports = {
    database: counted(running.database),
    dataKeys: createDataKeys([randomBytes(32).toString('hex')]),
    stepsAtOnce: STEPS_AT_ONCE,
  };
}, 120_000);
afterEach(async () => {
  await allow();
  await running.stop();
});

function counted(database: Database): Database {
  return {
    ...database,
    query: (statement) => {
      statements.push(statement.text);
      return database.query(statement);
    },
    transaction: (work) =>
      database.transaction((transaction) =>
        work({
          ...transaction,
          query: (statement) => {
            statements.push(statement.text);
            return transaction.query(statement);
          },
        }),
      ),
  };
}

const send = (operatorId: string, xml: string, dying: Partial<PayoutFilePorts> = {}) =>
  applyBankMessage({ ...ports, ...dying }, { operatorId, by: 'ann', name: 'a.xml', bytes: Buffer.from(xml) });
/** How many statements of our worker and imports `work` needs. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const before = statements.length;
  await work();
  return statements.length - before;
}
/** One look of the worker, after the pause of every message has ended. */
async function round(): Promise<void> {
  await sql('update bank_message_queue set next_at = least(next_at, now())');
  const { claim, handle } = continueBankMessages(ports);
  for (const message of await claim([])) await handle(message, new AbortController().signal);
}
const planOf = async (operatorId: string) =>
  (
    await sql<{ suspects: number | null; left: number }>(
      `select suspects, (select count(*)::int from bank_message_step where operator_id = $1) as left
      from bank_message_queue where operator_id = $1`,
      [operatorId],
    )
  )[0];
const statesOf = async ({ fileId }: SepaFile) =>
  (
    await sql<{ state: string }>(
      `select state from payout_transfer where withdrawal_id in (select withdrawal_id from payout_file_line where file_id = $1)
      order by state`,
      [fileId],
    )
  ).map(({ state }) => state);
const debitOf = ({ fileId }: SepaFile, cents: bigint) =>
  statementOf([{ direction: 'DBIT', cents, batch: paymentInformationIdOf(fileId) }]);

const dyingPorts = {
  failpoint(name: string) {
    if (name === 'bank-message-decided') throw new Error('died');
  },
};

/** The long statement is applied until the database has refused its second part so often that the part is divided. @returns its refused step */
async function divide(): Promise<string> {
  await expect(send('demo', debitOf(long, 24_500n), dyingPorts)).rejects.toThrow('died');
  const [step] = await sql<{ id: string }>(
    'select withdrawal_id as id from bank_message_step order by n offset $1 limit 1',
    [STEPS_AT_ONCE + 1],
  );
  await refuse(step?.id ?? '');
  for (let rounds = 0; ((await planOf('demo'))?.suspects ?? null) === null; rounds += 1) {
    expect(rounds).toBeLessThan(7);
    await round();
  }
  expect(await planOf('demo')).toMatchObject({ suspects: STEPS_AT_ONCE, left: 6 });
  return step?.id ?? '';
}

/** Rounds until nothing waits. Only the refused step is left out. */
async function endsWithin(most: number, refused: string): Promise<void> {
  for (let rounds = 0; (await planOf('demo')) !== undefined; rounds += 1) {
    expect(rounds).toBeLessThan(most);
    await round();
  }
  expect(await sql('select operator_id, withdrawal_id as id from bank_step_set_aside')).toEqual([
    { operator_id: 'demo', id: refused },
  ]);
  expect(await statesOf(long)).toEqual(['filed', ...Array.from({ length: 9 }, () => 'paid')]);
}

/** The messages of the other operator: a statement that pays a file, and an answer that rejects one. */
function otherMessages(): readonly { readonly file: SepaFile; readonly xml: string; readonly state: string }[] {
  const [paid, rejected] = others;
  if (paid === undefined || rejected === undefined) throw new Error('There are two files');
  return [
    { file: paid, xml: debitOf(paid, 2_000n), state: 'paid' },
    { file: rejected, xml: reportOn(rejected.fileId, 'RJCT', []), state: 'stopped' },
  ];
}

test('[WD-2] [SRV-6] its own request applies it, with no statement more than without the division', async () => {
  const [alone, beside] = otherMessages();
  const applied = async (message: typeof alone) => {
    if (message === undefined) throw new Error('There is no message');
    expect(await send(OTHER, message.xml)).toMatchObject({ outcome: 'applied', changed: 1, left: 0, setAside: 0 });
    expect(await statesOf(message.file)).toEqual([message.state]);
  };
  const usual = await statementsOf(() => applied(alone));
  const refused = await divide();
  const before = await planOf('demo');
  // A rejected file books nothing, so it needs no more than a paid one.
  expect(await statementsOf(() => applied(beside))).toBeLessThanOrEqual(usual);
  expect(await planOf('demo')).toEqual(before);
  await endsWithin(10, refused);
});

test('[WD-2] [SRV-6] the next look of the worker applies it whole, when the server of its request has died', async () => {
  const refused = await divide();
  for (const { file, xml, state } of otherMessages()) {
    await expect(send(OTHER, xml, dyingPorts)).rejects.toThrow('died');
    expect(await planOf(OTHER)).toMatchObject({ left: 1 });
    await round();
    expect(await planOf(OTHER)).toBeUndefined();
    expect(await statesOf(file)).toEqual([state]);
    // The long message goes on beside it, and is still being divided.
    expect(await planOf('demo')).toMatchObject({ suspects: expect.any(Number) });
  }
  await endsWithin(10, refused);
});
