/** Decisions of staff on the command line, about payments of a cashier that runs on the same database. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../database/connection/open-database.ts';
import type { Database } from '../database/database.ts';
import { makeTestPlace, silentLogger, type TestPlace } from '../database/testing/test-database.ts';
import { TEST_JOURNAL_KINDS } from '../database/testing/test-template.ts';
import { accountBalance, freezeUser, postJournal, userBalance } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { type Bench, commandOf, createBench, reportOf, seedOperator } from '../payments/testing/payments.fixture.ts';
import { books, intent, reportOn, richUser } from '../withdrawals/withdrawals.fixture.ts';
import { keptOpen, runCommand } from './run-command.fixture.ts';

let place: TestPlace;
let database: Database;
let bench: Bench;
beforeAll(async () => {
  place = await makeTestPlace();
  database = await openDatabase({ ...place, logger: silentLogger });
  await database.query({ text: TEST_JOURNAL_KINDS });
  await seedOperator(database, { url: 'https://operator.example/hook', secrets: [] });
  bench = createBench(database);
});
afterAll(async () => {
  expect((await auditLedger(database)).isSound).toBe(true);
  await database.close();
  await place.remove();
});

let out: string;
let errors: string;
beforeEach(() => {
  out = '';
  errors = '';
});

/** The public name of the operator is pk. */
async function run(command: string): Promise<number> {
  const printed = await runCommand(command, {
    environment: {
      ...place.environment,
    },
    open: keptOpen(database),
  });
  ({ out, errors } = printed);
  return printed.exitCode;
}

test('[SRV-1] the setting that a paid debt releases its account is shown and changed', async () => {
  expect(await run('debts release pk')).toBe(0);
  expect(out).toContain('staff release it');
  for (const [answer, words] of [
    ['yes', 'is released when its debt is paid'],
    ['no', 'staff release it'],
  ]) {
    expect(await run(`debts release pk --when-paid ${answer}`)).toBe(0);
    expect(out).toContain(words);
  }
  expect(await run('debts release pk --when-paid maybe')).toBe(2);
});

test('[SRV-1] [SRV-3] unmatched events are listed, a chargeback among them is dismissed by name, and the doctor counts them', async () => {
  const { request } = commandOf();
  await bench.payments.createDeposit(commandOf(request));
  await bench.payments.apply(reportOf(request.depositId, { outcome: 'reversed' }));
  expect(await run('reports parked pk --json')).toBe(0);
  const { reportId, ...item } = JSON.parse(out);
  expect(item).toMatchObject({
    id: request.depositId,
    outcome: 'reversed',
    reason: 'not-paid-yet',
    decisions: ['dismiss'],
  });
  await database.query({
    text: `update deposit_event set received_at = now() - interval '2 hours' where status = 'parked'`,
  });
  await run('doctor');
  expect(out).toContain(
    'fail  reports of providers: 1 waiting for more than an hour; 0 callbacks of the last 7 days could not be read',
  );
  expect(await run(`reports dismiss pk ${reportId} --by eve`)).toBe(2);
  expect(await run(`reports dismiss pk ${'0'.repeat(64)} --by eve --reason "told before"`)).toBe(1);
  expect(await run(`reports dismiss pk ${reportId} --by eve --reason "told before"`)).toBe(0);
  expect(out).toContain('Dismissed by eve at ');
  expect(await run('reports parked pk')).toBe(0);
  expect(out).toBe('None.\n');
  await run('doctor');
  expect(out).toContain('ok    reports of providers: none is waiting');
  expect(await run('reports')).toBe(2);
});

test('[SRV-3] [SRV-4] a paid report of test mode credits nothing, is listed with its reason, dismissed, and counted by the doctor', async () => {
  const command = commandOf();
  const { depositId } = command.request;
  await bench.payments.createDeposit(command);
  const ofTest = (id: string, event: string) =>
    bench.payments.apply(reportOf(id, { contradiction: 'test-mode-report', eventId: event }));
  expect(await ofTest(depositId, 'test-1')).toMatchObject({ outcome: 'unmatched' });
  expect(await ofTest(randomUUID(), 'test-2')).toMatchObject({ outcome: 'unmatched' });
  expect(await userBalance(database, 'op', command.caller.userId, 'INR')).toBe(0n);
  await run('doctor');
  expect(out).toContain(
    'fail  mode of fake: 2 reports of test mode, but the key is a live key; none was credited\n      Send test',
  );
  await run('reports unmatched --json');
  expect(JSON.parse(out)).toMatchObject({ reason: 'test-mode-report', amount: '500.00', currency: 'INR' });
  await run('reports parked pk --json');
  const { reportId, ...item } = JSON.parse(out);
  expect(item).toMatchObject({
    id: depositId,
    outcome: 'paid',
    reason: 'test-mode-report',
    decisions: ['dismiss'],
  });
  expect(await run(`reports dismiss pk ${reportId} --by eve --reason test`)).toBe(0);
  await database.query({ text: `delete from deposit_event where status = 'parked'` });
  // A report of the right mode is still credited.
  expect(await bench.payments.apply(reportOf(depositId))).toMatchObject({ outcome: 'credited' });
  await run('doctor');
  expect(out).not.toContain('mode of fake');
});

test('[SRV-3] of two operators, only the one whose journals have its reference sees a report without a payment', async () => {
  await database.query({
    text: `insert into operator (id, partner_key, name, allowed_origins) values ('two', 'two', 'Two', '{}')`,
  });
  const command = commandOf();
  const { depositId } = command.request;
  await bench.payments.createDeposit(command);
  await bench.payments.apply(reportOf(depositId));
  await bench.payments.apply(reportOf(depositId, { providerRef: 'a second payment', eventId: 'second' }));
  const { depositId: _none, ...unnamed } = reportOf(depositId, { outcome: 'reversed', eventId: 'gone' });
  await bench.payments.apply({ ...unnamed, providerRef: 'a second payment' });
  await bench.payments.apply({ ...unnamed, providerRef: 'of nobody', eventId: 'nobody' });
  await run('reports unmatched pk --json');
  expect(JSON.parse(out)).toMatchObject({ reference: 'a second payment', operator: 'pk' });
  await run('reports unmatched two');
  expect(out).toBe('None.\n');
  await run('reports unmatched');
  expect(out).toContain('of nobody');
  await database.query({ text: `delete from deposit_event where status = 'parked'` });
  await database.query({ text: `delete from operator where id = 'two'` });
  await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'refund', 'sam');
});

async function confirmed() {
  const caller = await richUser(database);
  const command = intent(caller);
  const { withdrawalId: id } = command.request;
  await bench.payments.withdrawals.create(command);
  await bench.payments.withdrawals.confirm(caller, id);
  return { caller, id };
}

test('[SRV-1] approvals are set, and waiting withdrawals are listed, approved by two people and declined', async () => {
  expect(await run('approvals pk')).toBe(0);
  expect(out).toBe('Thresholds: none. Hours: 168.\n');
  expect(await run('approvals set pk --hours 72')).toBe(0);
  expect(out).toBe('Thresholds: none. Hours: 72.\n');
  expect(await run('approvals pk --json')).toBe(0);
  expect(JSON.parse(out)).toEqual({ thresholds: [], approvalHours: 72, differentKeys: false });
  expect(await run('approvals set pk --currency INR --above 500 --second-above 900 --hours 48')).toBe(0);
  expect(out).toMatch(/INR +500\.00 +900\.00 +– +48/);
  expect(await run('approvals set pk --currency EUR --day 700')).toBe(0);
  expect(out).toMatch(/EUR +– +– +700\.00 +48/);
  expect(await run('approvals set pk --currency EUR --none')).toBe(0);
  expect(await run('approvals set pk --currency USD --above 0')).toBe(0);
  expect(await run('approvals set pk --currency USD --none')).toBe(0);
  expect(out).not.toContain('USD');
  expect(await run('approvals set pk --currency INR --above 500 --second-above 100')).toBe(1);
  expect(errors).toContain('secondApprovalThreshold');

  const one = await confirmed();
  const two = await confirmed();
  expect(await run('withdrawals awaiting pk --limit 1')).toBe(0);
  expect(out).toMatch(
    new RegExp(`${one.id} +${one.caller.userId} +1000\\.00 +INR +payout_card +•••• 1111 +0 of 2 +amount`),
  );
  expect(errors).toMatch(/^More: --cursor \S+\n$/);
  expect(await run(`withdrawals approve pk ${one.id} --by eve`)).toBe(0);
  expect(out).toContain('a second person must approve');
  expect(await run(`withdrawals approve pk ${one.id} --by Eve`)).toBe(1);
  expect(errors).toContain('Another person must approve');
  expect(await run(`withdrawals approve pk ${one.id} --by mallory --reason "known to us"`)).toBe(0);
  expect(bench.provider.withdraws).toEqual([]);
  // The running cashier finds that the withdrawal is confirmed and not sent to the provider yet.
  await database.query({ text: 'update withdrawal set check_at = now() where id = $1', values: [one.id] });
  await bench.payments.runDueWork();
  expect(bench.provider.withdraws.map(({ withdrawalId }) => withdrawalId)).toEqual([one.id]);

  expect(await run(`withdrawals decline pk ${two.id} --by eve --reason "never seen before"`)).toBe(0);
  expect(await books(database, two.caller)).toEqual({ free: 100_000n, additional: 0n, held: 0n });
  expect(await run(`withdrawals approve pk ${two.id} --by eve`)).toBe(1);
  expect(errors).toContain('(state: declined)');
  expect(await run(`withdrawals approve pk ${randomUUID()} --by eve`)).toBe(1);
  expect(await run('withdrawals awaiting pk')).toBe(0);
  expect(out).toBe('None.\n');
  expect(await run('approvals set pk --currency INR --none')).toBe(0);
});

test('[SRV-3] money in suspense and late payouts are listed and decided, once', async () => {
  const { request } = commandOf();
  await bench.payments.createDeposit(commandOf(request));
  await bench.payments.apply(reportOf(request.depositId, { paidMinor: 30_000n }));
  const { caller, id } = await confirmed();
  await bench.payments.withdrawals.apply(reportOn(id, { outcome: 'declined' }));
  await bench.payments.withdrawals.apply(reportOn(id));

  expect(await run('reviews list pk --json')).toBe(0);
  const items = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(items).toMatchObject([
    {
      reviewId: `deposit-${request.depositId}-1`,
      reason: 'underpaid',
      amount: '500.00',
      currency: 'INR',
      suspense: [{ amount: '300.00', currency: 'INR' }],
      decisions: ['credit', 'refund'],
    },
    { reviewId: `withdrawal-${id}-1`, reason: 'late', decisions: ['charge', 'bear'] },
  ]);
  const before = await userBalance(database, 'op', 'ann', 'INR');
  for (let round = 0; round < 2; round += 1) {
    expect(await run(`reviews resolve pk deposit-${request.depositId}-1 credit --by eve`)).toBe(0);
    expect(out).toContain('credit, by eve at');
  }
  expect((await userBalance(database, 'op', 'ann', 'INR')) - before).toBe(30_000n);
  expect(await run(`reviews resolve pk withdrawal-${id}-1 charge --by eve`)).toBe(0);
  expect(await books(database, caller)).toEqual({ free: 0n, additional: 0n, held: 0n });
  expect(await accountBalance(database, 'op', { owner: '', asset: 'INR', kind: 'suspense' })).toBe(0n);
  expect(await run(`reviews resolve pk withdrawal-${id}-1 bear --by eve`)).toBe(1);
  expect(errors).toContain('(decision: charge)');
  expect(await run('reviews resolve pk deposit-x-1 credit --by eve')).toBe(1);
  expect(await run('reviews list')).toBe(2);
  expect(await run('reviews list nobody')).toBe(1);
});

test('[SRV-1] frozen accounts are listed and released, and the debt that is left is printed', async () => {
  const caller = await richUser(database);
  await database.transaction((transaction) => freezeUser(transaction, caller.operatorId, caller.userId, 'INR'));
  expect(await run('accounts frozen pk')).toBe(0);
  expect(out).toMatch(new RegExp(`${caller.userId} +INR +0\\.00 +\\d{4}-`));
  const release = `accounts release pk ${caller.userId} INR --by eve --reason "has paid us"`;
  expect(await run(release)).toBe(0);
  expect(out).toContain('still owes 0.00 INR');
  expect(await run(release)).toBe(1);
  expect(errors).toContain('not frozen');
  expect(await run('accounts frozen pk')).toBe(0);
  expect(out).toBe('None.\n');
});

test('[SRV-1] debts are listed, settled in part and forgiven, and deposits are set to pay them', async () => {
  const caller = await richUser(database);
  const { userId, operatorId } = caller;
  await database.transaction((transaction) =>
    postJournal(transaction, {
      operatorId,
      kind: 'test',
      source: 'test',
      ref: `debt-${userId}`,
      lines: [
        { owner: userId, asset: 'INR', kind: 'reversal_debt', amount: -70_000n },
        { owner: 'fake', asset: 'INR', kind: 'provider_clearing', amount: 70_000n },
      ],
    }),
  );
  expect(await run(`debts list pk --user ${userId}`)).toBe(0);
  expect(out).toMatch(new RegExp(`${userId} +INR +700\\.00 +\\S+ +1000\\.00 +0\\.00 +–`));
  expect(await run(`debts settle pk ${userId} INR --from main --amount 600 --by eve --reason "agreed"`)).toBe(0);
  expect(out).toContain('still owes 100.00 INR');
  expect(await userBalance(database, operatorId, userId, 'INR')).toBe(40_000n);
  expect(await run(`debts settle pk ${userId} INR --from operator --by eve --reason "the rest is forgiven"`)).toBe(0);
  expect(out).toContain('still owes 0.00 INR');
  expect(await run(`debts settle pk ${userId} INR --from main --by eve --reason "once more"`)).toBe(1);
  expect(errors).toContain('(debt: 0.00)');
  expect(await run('debts list pk --json')).toBe(0);
  expect(out).not.toContain(userId);
  expect(await run('debts deposits pk')).toBe(0);
  expect(out).toContain('Staff settle debts');
  expect(await run('debts deposits pk --pay yes')).toBe(0);
  expect(out).toContain('first');
  expect(await run('debts deposits pk --pay no')).toBe(0);
});

test.each([
  'accounts',
  'debts',
  'debts list',
  'debts settle pk ann INR --by eve --reason x',
  'debts settle pk ann INR --from provider --by eve --reason x',
  'debts settle pk ann INR --from main --reason x',
  'debts settle pk ann --from main --by eve --reason x',
  'debts deposits pk --pay perhaps',
  'accounts release pk ann',
  'accounts release pk ann INR --by eve',
  'accounts release pk ann INR --reason x',
  'reviews decide pk',
  'reviews resolve pk x credit',
  'reviews resolve pk x keep --by eve',
  'reviews resolve pk x',
  'reviews list pk --limit 0',
  'withdrawals',
  'withdrawals awaiting pk --from yesterday',
  'withdrawals approve pk 17 --by eve',
  `withdrawals approve pk ${randomUUID()}`,
  `withdrawals decline pk ${randomUUID()} --by eve`,
  'approvals set pk',
  'approvals set pk --currency INR',
  'approvals set pk --above 5',
  'approvals set pk --currency INR --above -5',
  'approvals set pk --currency INR --above 5 --none',
  'approvals set pk --currency INR --none --second-above 5',
  'approvals set pk --currency INR --none --day 5',
  'approvals set pk --currency INR --day 9 --second-above 5',
  'approvals set pk --hours 0',
])('[SRV-1] a wrong command changes nothing and ends with 2: %s', async (command) => {
  expect(await run(command)).toBe(2);
  expect(errors).toContain('opencashier help');
});
