/** An unmatched event that is tried again in the moment in which its payment becomes known is due again soon (SRV-3). */
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { intercepted } from '../database/testing/intercepted.fixture.ts';
import { noSpans } from '../observability/spans.ts';
import { createReportBatches } from '../payments/apply.ts';
import { type Bench, commandOf, createBench, refOf, reportOf } from '../payments/testing/payments.fixture.ts';
import { creditsOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import { signal } from '../testing/signal.fixture.ts';
import { intent, reportOn, richUser } from '../withdrawals/withdrawals.fixture.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

/** The embedded database runs one transaction at a time, so whatever comes during a retry waits for its end. */
const isAtOnce = process.env['TEST_DATABASE'] === 'postgres';

type Table = 'deposit_event' | 'withdrawal_event';
const SEARCHES = { deposit_event: 'deposit-lock-for-report', withdrawal_event: 'withdrawal-of-report' };

/** Between the search for the payment and the next statement; before the statement that stores the delay. */
const moments = ['after its search', 'before its delay'] as const;
type Moment = (typeof moments)[number];

/** Tries the parked event again as a worker does, after many tries. `happens` runs in the moment of the retry. */
async function retry(table: Table, eventId: string, moment: Moment, happens: () => Promise<unknown>): Promise<void> {
  await database.query({
    text: `update ${table} set tries = 9, next_at = now() where event_id = $1 and status = 'parked'`,
    values: [eventId],
  });
  let isSearched = false;
  let hasHappened = false;
  const worker = createBench(
    intercepted(database, async ({ name }) => {
      const isNow = moment === 'after its search' ? isSearched : name === `${table}-settle`;
      isSearched ||= name === SEARCHES[table];
      if (!isNow || hasHappened) return;
      hasHappened = true;
      await happens();
    }),
  );
  await worker.payments.runDueWork();
  expect(hasHappened).toBe(true);
}

/** Ends when the work waits for a lock or is done. */
async function untilItWaits(work: Promise<unknown>): Promise<void> {
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  const text = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  while (!isDone && (await database.query({ text })).length === 0);
}

/** Lets the two seconds pass that an event waits at least, and works on what is due then. */
async function workSoon(table: Table): Promise<void> {
  const text = `update ${table} set next_at = now() where status = 'parked' and next_at <= now() + interval '2 seconds'`;
  await database.query({ text });
  await bench.payments.runDueWork();
}

/** A deposit whose provider has been asked and has not answered, and its `paid` report, which names it by the reference only. */
async function unansweredDeposit(made = bench) {
  const command = commandOf();
  const { depositId } = command.request;
  const isAsked = signal();
  const answer = signal();
  made.provider.onCreate = async () => {
    isAsked.give();
    await answer.given;
    return { kind: 'created', providerRef: refOf(depositId), source: 'https://pay.example/' };
  };
  const created = made.payments.createDeposit(command);
  await isAsked.given;
  const { depositId: _ours, ...report } = reportOf(depositId);
  expect(await bench.payments.apply(report)).toEqual({ outcome: 'unmatched' });
  return { depositId, report, created, answer: answer.give };
}

describe.each(moments)('[SRV-3] a retry beside its payment, %s', (moment) => {
  test('a deposit that gets its reference is credited by the next retry', async () => {
    const { depositId, report, created, answer } = await unansweredDeposit();
    await retry('deposit_event', report.eventId, moment, async () => {
      answer();
      if (isAtOnce) await untilItWaits(created);
    });
    await created;
    await workSoon('deposit_event');
    expect(await creditsOf(database, depositId)).toBe(1);
  });

  test('a withdrawal that gets its reference is paid by the next retry', async () => {
    const caller = await richUser(database);
    const command = intent(caller);
    const { withdrawalId = '' } = command.request;
    const isAsked = signal();
    const answer = signal();
    bench.provider.onWithdraw = async () => {
      isAsked.give();
      await answer.given;
      return { kind: 'accepted', providerRef: refOf(withdrawalId) };
    };
    await bench.payments.withdrawals.create(command);
    const confirmed = bench.payments.withdrawals.confirm(caller, withdrawalId);
    await isAsked.given;
    const { withdrawalId: _ours, ...report } = reportOn(withdrawalId);
    expect(await bench.payments.withdrawals.apply(report)).toEqual({ outcome: 'unmatched' });
    await retry('withdrawal_event', report.eventId, moment, async () => {
      answer.give();
      if (isAtOnce) await untilItWaits(confirmed);
    });
    await confirmed;
    await workSoon('withdrawal_event');
    const text = 'select state from withdrawal where id = $1';
    expect(await database.query({ text, values: [withdrawalId] })).toEqual([{ state: 'paid' }]);
  });

  test('a deposit that a batch credits and gives its reference has its chargeback applied by the next retry', async () => {
    const { depositId, created, answer } = await unansweredDeposit();
    const { depositId: _ours, ...chargeback } = reportOf(depositId, { outcome: 'reversed' });
    expect(await bench.payments.apply(chargeback)).toEqual({ outcome: 'unmatched' });
    const names: (string | undefined)[] = [];
    const watched = intercepted(database, async ({ name }) => {
      names.push(name);
    });
    const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const apply = createReportBatches({ database: watched, logger, spans: noSpans, onChange: () => undefined });
    let credited: Promise<unknown> = Promise.resolve();
    await retry('deposit_event', chargeback.eventId, moment, async () => {
      credited = apply(reportOf(depositId));
      if (isAtOnce) await untilItWaits(credited);
    });
    expect(await credited).toMatchObject({ outcome: 'credited' });
    expect(names).toContain('deposit_event-wake-all');
    await workSoon('deposit_event');
    const text = 'select status from deposit_event where event_id = $1';
    expect(await database.query({ text, values: [chargeback.eventId] })).toEqual([{ status: 'applied' }]);
    answer();
    await created;
  });
});

test('[SRV-3] a deposit whose reference is committed after the retry is credited by the next retry', async () => {
  const isWoken = signal();
  const mayCommit = signal();
  const late: Database = {
    ...database,
    query: (statement) =>
      statement.name === 'deposit-created'
        ? database.transaction(async (transaction) => {
            const rows = await transaction.query<never>(statement);
            isWoken.give();
            await mayCommit.given;
            return rows;
          })
        : database.query(statement),
  };
  const { depositId, report, created, answer } = await unansweredDeposit(createBench(late));
  await retry('deposit_event', report.eventId, 'after its search', async () => {
    answer();
    if (isAtOnce) await isWoken.given;
    else mayCommit.give();
  });
  mayCommit.give();
  await created;
  await workSoon('deposit_event');
  expect(await creditsOf(database, depositId)).toBe(1);
});
