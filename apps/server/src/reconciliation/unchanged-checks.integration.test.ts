/** Answers of providers that bring nothing new: what they cost, and that they hide nothing. */
import { afterEach, expect, test } from 'vitest';
import type { Database, Queryable, Statement } from '../database/database.ts';
import { nextCheckDelayS } from '../deposits/reconciliation-schedule.ts';
import { ann, type Bench, commandOf, createBench, refOf, reportOf } from '../payments/testing/payments.fixture.ts';
import { creditsOf, depositStateOf, openDepositOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import type { DepositReport } from '../providers/provider.ts';
import { intent, reportOn, richUser } from '../withdrawals/withdrawals.fixture.ts';

let database: Database;
let statements: string[];
let bench: Bench;
withPayments((made) => {
  ({ database } = made);
  statements = [];
  bench = createBench(counted(database));
  bench.provider.onInquire = async ({ depositId }) => waiting(depositId);
});

afterEach(async () => {
  await database.query({ text: `update deposit set check_at = null, expires_at = now() + interval '1 day'` });
});

/** A database that notes each statement by its name, and whether it was in a transaction. */
function counted(inner: Database): Database {
  const noted = (queryable: Queryable, place: string) => (statement: Statement) => {
    statements.push(`${place} ${statement.name}`);
    return queryable.query<never>(statement);
  };
  return {
    ...inner,
    query: noted(inner, 'alone'),
    transaction: (work) =>
      inner.transaction((transaction) => work({ ...transaction, query: noted(transaction, 'transaction') })),
  };
}

/** "Still waiting", as most providers say it: always the same fact, with the time of the question. */
function waiting(depositId: string, more: Partial<DepositReport> = {}): DepositReport {
  const { paidMinor: _paid, currency: _currency, ...report } = reportOf(depositId);
  const eventId = `open-${depositId}`;
  return { ...report, outcome: 'pending', eventId, at: new Date().toISOString(), ...more };
}

/** Makes the questions about all open deposits due, and answers the statements of the round that asks. */
async function ask(): Promise<string[]> {
  await database.query({ text: 'update deposit set check_at = now() where check_at is not null' });
  statements = [];
  await bench.payments.runDueWork();
  return statements.filter((name) => / (deposit|withdrawal)/.test(name));
}

const hasTransaction = (cost: readonly string[]): boolean => cost.some((name) => name.startsWith('transaction'));
const countOf = (cost: readonly string[], name: string): number => cost.filter((each) => each === name).length;

interface Asked {
  readonly checks: number;
  readonly seconds: number | null;
}

async function askedOf(depositId: string): Promise<Asked | undefined> {
  const [row] = await database.query<Asked>({
    text: `select checks, round(extract(epoch from check_at - updated_at))::int as seconds from deposit where id = $1`,
    values: [depositId],
  });
  return row;
}

const eventsOf = (depositId: string) =>
  database.query({
    text: 'select status, outcome from deposit_event where deposit_id = $1 order by received_at',
    values: [depositId],
  });

test('[SRV-3] a batch of ten deposits without news costs at most four statements, and no transaction', async () => {
  const opened = [];
  for (let n = 0; n < 10; n += 1) opened.push(await openDepositOf(bench));
  await ask();
  for (let checks = 2; checks < 5; checks += 1) {
    const cost = await ask();
    // The last claim of each worker finds nothing.
    expect(cost.filter((name) => name.startsWith('alone deposit-')).sort()).toEqual([
      'alone deposit-claim-busy_until',
      'alone deposit-claim-check_at',
      'alone deposit-claim-check_at',
      'alone deposit-unchanged',
    ]);
    expect(hasTransaction(cost)).toBe(false);
    for (const { depositId } of opened) {
      expect(await askedOf(depositId)).toEqual({ checks, seconds: nextCheckDelayS('awaiting_payment', checks) });
      expect(await eventsOf(depositId)).toEqual([{ status: 'applied', outcome: 'none' }]);
    }
  }
});

test('[SRV-3] the first answer without news is stored, without a second transaction', async () => {
  const { depositId } = await openDepositOf(bench);
  const cost = await ask();
  expect(countOf(cost, 'alone deposit-unchanged')).toBe(2);
  expect(countOf(cost, 'transaction deposit-next-check')).toBe(0);
  expect(await askedOf(depositId)).toEqual({ checks: 1, seconds: nextCheckDelayS('awaiting_payment', 1) });
  expect(await eventsOf(depositId)).toHaveLength(1);
});

test('[SRV-6] a provider that does not answer or does not know an open payment costs one statement', async () => {
  const { depositId } = await openDepositOf(bench);
  for (const answer of [async () => undefined, () => Promise.reject(new Error('away'))]) {
    const before = await askedOf(depositId);
    bench.provider.onInquire = answer;
    expect(hasTransaction(await ask())).toBe(false);
    expect((await askedOf(depositId))?.checks).toBe((before?.checks ?? 0) + 1);
  }
});

test('[SRV-1] deposits of two operators never share a statement', async () => {
  await database.query({
    text: `insert into operator (id, partner_key, name) values ('second', 'second', 'Second') on conflict do nothing`,
  });
  await openDepositOf(bench);
  await bench.payments.createDeposit(commandOf({}, { ...ann, operatorId: 'second', partnerKey: 'second' }));
  await ask();
  expect(countOf(await ask(), 'alone deposit-unchanged')).toBe(2);
});

test('[SRV-3] a deposit that moves during the question keeps its own plan', async () => {
  const { depositId } = await openDepositOf(bench);
  await ask();
  bench.provider.onInquire = async () => {
    await bench.payments.apply(reportOf(depositId));
    return waiting(depositId);
  };
  await ask();
  expect(await depositStateOf(database, depositId)).toBe('credited');
  expect(await askedOf(depositId)).toEqual({ checks: 0, seconds: null });
  expect(await creditsOf(database, depositId)).toBe(1);
});

test('[SRV-3] a deposit that the user cancels during the first question keeps the plan of its new state', async () => {
  const { caller, depositId } = await openDepositOf(bench);
  bench.provider.onInquire = async () => {
    await bench.payments.cancelDeposit(caller, depositId);
    throw new Error('away');
  };
  await ask();
  expect(await askedOf(depositId)).toEqual({ checks: 0, seconds: nextCheckDelayS('cancelled', 0) });
});

test('[SRV-3] a question that another node has answered meanwhile is planned once more, from its newest count', async () => {
  const { depositId } = await openDepositOf(bench);
  await ask();
  bench.provider.onInquire = async () => {
    await database.query({ text: 'update deposit set checks = checks + 1 where id = $1', values: [depositId] });
    return waiting(depositId);
  };
  await ask();
  expect(await askedOf(depositId)).toEqual({ checks: 3, seconds: nextCheckDelayS('awaiting_payment', 3) });
});

test('[SRV-3] other content under a known event is never taken for nothing new', async () => {
  const { depositId } = await openDepositOf(bench);
  await ask();
  const alerts = () => bench.logs.filter(({ message }) => message.includes('other content')).length;
  for (const more of [{ asked: { minor: 1n, currency: 'INR' } }, { remoteStatus: 'PAYED' }, { remoteStatus: 'P\0' }]) {
    const before = alerts();
    bench.provider.onInquire = async () => waiting(depositId, more);
    expect(hasTransaction(await ask())).toBe(true);
    // A text that the database cannot keep is left out, and the rest is known.
    expect(alerts()).toBe(before + (more.remoteStatus === 'P\0' ? 0 : 1));
  }
  expect(await eventsOf(depositId)).toHaveLength(1);
});

test('[SRV-3] a parked report is applied again by each question, and stays parked', async () => {
  const { depositId } = await openDepositOf(bench);
  bench.provider.onInquire = async () => waiting(depositId, { asked: { minor: 1n, currency: 'INR' } });
  await ask();
  expect(hasTransaction(await ask())).toBe(true);
  expect(await eventsOf(depositId)).toMatchObject([{ status: 'parked', outcome: 'asked-amount' }]);
});

test('[CRY-2] a transfer that vanished ends its overdue deposit, although the answer brings nothing new', async () => {
  const { depositId } = await openDepositOf(bench);
  const chain = { txid: `tx-${depositId}`, blockchain: 'Tron', cryptoCurrency: 'USDT', requiredConfirmations: 2 };
  await bench.payments.apply(
    waiting(depositId, { eventId: `seen-${depositId}`, chain: { ...chain, confirmations: 0 } }),
  );
  const gone = { outcome: 'vanished', eventId: `gone-${depositId}`, chain: { ...chain, confirmations: 0 } } as const;
  await bench.payments.apply(waiting(depositId, gone));
  await ask();
  expect(await depositStateOf(database, depositId)).toBe('detected');
  await database.query({ text: 'update deposit set expires_at = now() where id = $1', values: [depositId] });
  await ask();
  expect(await depositStateOf(database, depositId)).toBe('expired');
});

test('[SRV-6] a provider that is away keeps overdue deposits open, at no cost but the question', async () => {
  const { depositId } = await openDepositOf(bench);
  await database.query({
    text: `update deposit set check_at = null, expires_at = now() - interval '1 minute' where id = $1`,
    values: [depositId],
  });
  bench.provider.onInquire = () => Promise.reject(new Error('away'));
  expect(hasTransaction(await ask())).toBe(false);
  expect(await depositStateOf(database, depositId)).toBe('awaiting_payment');
  await database.query({
    text: `update deposit set busy_until = null, expires_at = now() - interval '11 minutes' where id = $1`,
    values: [depositId],
  });
  await ask();
  expect(await depositStateOf(database, depositId)).toBe('expired');
});

test('[WD-2] a withdrawal without news costs one statement, and a paid one is paid', async () => {
  const rich = await richUser(database);
  const command = intent(rich);
  const { withdrawalId } = command.request;
  await bench.payments.withdrawals.create(command);
  await bench.payments.withdrawals.confirm(rich, withdrawalId);
  const { paidMinor: _paid, currency: _currency, ...waits } = reportOn(withdrawalId, { outcome: 'pending' });
  bench.provider.onInquireWithdrawal = async () => waits;
  const round = async () => {
    await database.query({
      text: 'update withdrawal set check_at = now(), busy_until = null where id = $1',
      values: [withdrawalId],
    });
    statements = [];
    await bench.payments.runDueWork();
    return statements.filter((name) => / withdrawal/.test(name));
  };
  expect(hasTransaction(await round())).toBe(true);
  const cost = await round();
  expect(hasTransaction(cost)).toBe(false);
  expect(countOf(cost, 'alone withdrawal-unchanged')).toBe(1);
  const [asked] = await database.query({
    text: `select checks, round(extract(epoch from check_at - updated_at))::int as seconds from withdrawal where id = $1`,
    values: [withdrawalId],
  });
  expect(asked).toEqual({ checks: 2, seconds: 1_800 });
  bench.provider.onInquireWithdrawal = async () => reportOn(withdrawalId, { providerRef: refOf(withdrawalId) });
  await round();
  expect(await bench.payments.withdrawals.status(rich, withdrawalId)).toMatchObject({ status: 1 });
});
