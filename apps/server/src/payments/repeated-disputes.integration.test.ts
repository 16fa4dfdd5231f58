import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase } from '../database/testing/test-database.ts';
import { type AccountKind, accountBalance, lockUserBalance, postJournal } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { openOperatorApi } from '../operator-api/operator-api.fixture.ts';
import { parkedPageSchema } from '../operator-api/parked-report-schemas.ts';
import { STILL_PARKED } from '../provider-events/event-store.ts';
import { ann, type Bench, commandOf, createBench, evidenceOf, seedOperator } from './testing/payments.fixture.ts';

let database: Database;
let bench: Bench;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ database, drop } = await openTestDatabase());
  await seedOperator(database, { url: 'https://operator.example/hook', secrets: [] });
  bench = createBench(database);
});
afterAll(async () => {
  expect((await auditLedger(database)).isSound).toBe(true);
  await drop();
});

/** A deposit of 500.00 INR of somebody new, paid so unless said otherwise, and what can happen to the money. */
async function credited(paid: Parameters<typeof evidenceOf>[1] = {}) {
  const caller = { ...ann, userId: `user-${randomUUID()}` };
  const command = commandOf({}, caller);
  const { depositId } = command.request;
  await bench.payments.createDeposit(command);
  await bench.payments.apply(evidenceOf(depositId, paid));
  const of = (kind: AccountKind, owner = caller.userId) =>
    accountBalance(database, 'op', { owner, asset: 'INR', kind });
  return {
    depositId,
    caller,
    taken: (event: string) =>
      bench.payments.apply(
        evidenceOf(depositId, { ...paid, outcome: 'reversed', eventId: `${depositId}-taken-${event}` }),
      ),
    returned: (event: string) => {
      const ref = `${depositId}-returned-${event}`;
      return bench.payments.apply(
        evidenceOf(depositId, { ...paid, outcome: 'returned', providerRef: ref, eventId: ref }),
      );
    },
    resolve: (decision: 'credit' | 'refund') => bench.payments.resolveReview(depositId, decision, 'eve'),
    /** What the user still has of as much is gone. */
    spend: (wanted: bigint) =>
      database.transaction(async (transaction) => {
        const { balance } = await lockUserBalance(transaction, 'op', caller.userId, 'INR');
        const amount = balance < wanted ? balance : wanted;
        if (amount === 0n) return amount;
        await postJournal(transaction, {
          operatorId: 'op',
          kind: 'test_spend',
          source: 'test',
          ref: randomUUID(),
          lines: [
            { owner: caller.userId, asset: 'INR', kind: 'user', amount: -amount },
            { owner: '', asset: 'INR', kind: 'operator_clearing', amount },
          ],
        });
        return amount;
      }),
    async books() {
      const [row] = await database.query<{ suspense: bigint; clearing: bigint; review: string | null; state: string }>({
        text: `select review, state,
            coalesce(sum(posting.amount) filter (where account.kind = 'suspense'), 0)::bigint as suspense,
            coalesce(sum(posting.amount) filter (where account.kind = 'provider_clearing'), 0)::bigint as clearing
          from deposit join journal on journal.deposit_id = deposit.id
          join posting on posting.journal_id = journal.id join account on account.id = posting.account_id
          where deposit.id = $1 group by deposit.id`,
        values: [depositId],
      });
      return { user: await of('user'), debt: await of('reversal_debt'), ...row };
    },
  };
}

const parkedNow = () =>
  database.query<{ outcome: string }>({ text: `select outcome from evidence where status = 'parked'` });
async function tryParked(): Promise<void> {
  await database.query({ text: `update evidence set next_at = now() where status = 'parked'` });
  await bench.payments.runDueWork();
}

describe('[SRV-2] [SRV-3] money that had come back and is taken once more', () => {
  test('leaves suspense where nobody was given it, and its review ends', async () => {
    const money = await credited();
    await money.taken('1');
    await money.returned('1');
    expect(await money.books()).toMatchObject({ user: 0n, suspense: 50_000n, clearing: -50_000n, review: 'returned' });
    for (let told = 0; told < 3; told += 1) await money.taken('2');
    expect(await money.books()).toEqual({
      user: 0n,
      debt: 0n,
      suspense: 0n,
      clearing: 0n,
      review: null,
      state: 'reversed',
    });
    await expect(money.resolve('credit')).rejects.toThrow('nothing to decide');
  });

  test('is taken from its user, once however often and at once it is told; what was spent is a debt that freezes', async () => {
    const money = await credited();
    await money.taken('1');
    await money.returned('1');
    await money.resolve('credit');
    expect(await money.spend(20_000n)).toBe(20_000n);
    await Promise.all(Array.from({ length: 5 }, () => money.taken('2')));
    expect(await money.books()).toMatchObject({ user: 0n, debt: -20_000n, suspense: 0n, clearing: 0n });
    const { isFrozen } = await database.transaction((transaction) =>
      lockUserBalance(transaction, 'op', money.caller.userId, 'INR'),
    );
    expect(isFrozen).toBe(true);
    const hooks = await database.query<{ body: string }>({
      text: `select body from webhook_delivery where deposit_id = $1 and type = 'deposit.reversed'`,
      values: [money.depositId],
    });
    expect(hooks.map(({ body }) => JSON.parse(body).data)).toMatchObject([
      { amount: '500.00', currency: 'INR', status: 'mistaked' },
      { amount: '500.00', currency: 'INR', status: 'mistaked' },
    ]);
    // And back once more: it pays the debt first.
    await money.returned('2');
    await money.resolve('credit');
    expect(await money.books()).toMatchObject({ user: 30_000n, debt: 0n, clearing: -50_000n });
  });

  test('may be told before it is told that it came back: it waits for that', async () => {
    const money = await credited();
    await money.taken('1');
    expect(await money.taken('2')).toMatchObject({ outcome: 'unmatched' });
    expect(await parkedNow()).toEqual([{ outcome: 'not-returned-yet' }]);
    await money.returned('1');
    await tryParked();
    expect(await money.books()).toMatchObject({ user: 0n, debt: 0n, suspense: 0n, clearing: 0n, review: null });
    expect(await parkedNow()).toEqual([]);
    // Of two sums the one goes that nobody was given.
    await money.returned('2');
    await money.resolve('credit');
    await money.returned('3');
    await money.taken('3');
    expect(await money.books()).toMatchObject({ user: 50_000n, debt: 0n, suspense: 0n, review: null });
  });

  test('by people who had sent it another way is not taken from anybody: the report is of that', async () => {
    const money = await credited();
    await money.taken('1');
    await money.returned('1');
    await money.resolve('refund');
    expect(await money.taken('2')).toMatchObject({ outcome: 'unchanged' });
    expect(await money.books()).toMatchObject({ user: 0n, debt: 0n, suspense: 0n, clearing: 0n });
    expect(await parkedNow()).toEqual([]);
  });

  test('of a second payment leaves suspense with it, once, in whichever order it is told; the review of another stays', async () => {
    const money = await credited();
    const second = (which: string, more: Parameters<typeof evidenceOf>[1] = {}) =>
      bench.payments.apply(evidenceOf(money.depositId, { providerRef: `${money.depositId}-${which}`, ...more }));
    await second('a', { paidMinor: 70_000n });
    await second('b', { paidMinor: 20_000n });
    for (let told = 0; told < 2; told += 1) await second('b', { outcome: 'reversed' });
    expect(await money.books()).toMatchObject({ user: 50_000n, suspense: 70_000n, review: 'second-payment' });
    const reviews = await database.query({
      text: 'select reviews from deposit where id = $1',
      values: [money.depositId],
    });
    expect(reviews).toEqual([{ reviews: 1 }]);
    await second('a', { outcome: 'reversed' });
    expect(await money.books()).toMatchObject({ user: 50_000n, suspense: 0n, review: null, clearing: -50_000n });
    expect(await second('c', { outcome: 'reversed' })).toMatchObject({ outcome: 'unmatched' });
    await second('c');
    await tryParked();
    expect(await money.books()).toMatchObject({ user: 50_000n, suspense: 0n, review: null, clearing: -50_000n });
    expect(await parkedNow()).toEqual([]);
  });

  test('told twice under two names waits, is told to people, and takes nothing that comes back once they have dismissed it', async () => {
    const api = await openOperatorApi(database, bench.payments);
    const parked = async () => v.parse(parkedPageSchema, (await api.ask('/parked-reports')).body).reports;
    const money = await credited();
    await money.taken('1');
    await money.taken('1 again');
    const [report, ...others] = await parked();
    expect(others).toEqual([]);
    expect(report).toMatchObject({
      type: 'deposit',
      id: money.depositId,
      userId: money.caller.userId,
      outcome: 'reversed',
      why: 'not-returned-yet',
      amount: '500.00',
      currency: 'INR',
      decisions: ['dismiss'],
    });
    const logs = () => bench.logs.filter(({ level, message }) => level === 'error' && message === STILL_PARKED);
    for (let tries = 0; tries < 9; tries += 1) await tryParked();
    expect(logs()).toMatchObject([{ fields: { deposit: money.depositId, why: 'not-returned-yet' } }]);

    const dismiss = (by: string, operatorId?: string) =>
      api.ask(`/parked-reports/${report?.reportId}/dismiss`, { decidedBy: by, reason: 'told before' }, operatorId);
    expect(await dismiss('eve', 'other')).toMatchObject({ status: 404 });
    const answers = await Promise.all([dismiss('eve'), dismiss('eve'), dismiss('eve')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await dismiss('bob')).body).toEqual(answers[0]?.body);
    expect(await parked()).toEqual([]);
    await money.returned('1');
    await tryParked();
    expect(await money.books()).toMatchObject({ suspense: 50_000n, review: 'returned' });
    await money.resolve('credit');
    // It counts for no taking: the next one is a taking of what the user has.
    await money.taken('2');
    expect(await money.books()).toMatchObject({ user: 0n, debt: 0n, suspense: 0n, clearing: 0n });
    // And the report of what people send away themselves is still due.
    await money.returned('2');
    await money.resolve('refund');
    expect(await money.taken('by people')).toMatchObject({ outcome: 'unchanged' });
    expect(await parked()).toEqual([]);
    await api.close();
  });

  test('and money that came is never dismissed', async () => {
    const api = await openOperatorApi(database, bench.payments);
    const money = await credited({ paidMinor: 30_000n, currency: 'USDC' });
    const { reports } = v.parse(parkedPageSchema, (await api.ask('/parked-reports')).body);
    expect(reports).toMatchObject([{ id: money.depositId, outcome: 'paid', why: 'unknown-currency', decisions: [] }]);
    const path = `/parked-reports/${reports[0]?.reportId}/dismiss`;
    expect(await api.ask(path, { decidedBy: 'eve', reason: 'no' })).toMatchObject({ code: 'state-conflict' });
    await database.query({ text: `delete from evidence where status = 'parked'` });
    await api.close();
  });

  test('and that comes back after people had sent it away is theirs to decide about once more', async () => {
    const money = await credited({ paidMinor: 30_000n });
    expect(await money.returned('1')).toMatchObject({ outcome: 'unmatched' });
    await money.resolve('refund');
    await tryParked();
    expect(await money.books()).toMatchObject({ suspense: 30_000n, review: 'returned', state: 'declined' });
    await money.resolve('credit');
    expect(await money.books()).toMatchObject({ user: 30_000n, suspense: 0n, clearing: -30_000n });
    // The report of what people had done may come as late as this; another one is of another taking.
    await money.taken('by people');
    expect(await money.books()).toMatchObject({ user: 30_000n, clearing: -30_000n });
    await money.taken('2');
    expect(await money.books()).toMatchObject({ user: 0n, debt: 0n, clearing: 0n, review: null });

    const foreign = await credited({ paidMinor: 1_234n, currency: 'USD' });
    await foreign.resolve('refund');
    await foreign.returned('1');
    await expect(foreign.resolve('credit')).rejects.toThrow('another currency');
    await foreign.resolve('refund');
    expect(await foreign.books()).toMatchObject({ suspense: 0n, review: null });
  });

  test('in whatever order, twice and between whatever decisions it is told: every sum is booked once, and none is lost', async () => {
    const runs = fc
      .integer({ min: 1, max: 3 })
      .chain((times) => {
        const told = Array.from({ length: times }, (_, index) => `${index + 1}`);
        const reports = told.flatMap((event) => [`taken ${event}`, `taken ${event}`, `returned ${event}`]);
        return fc.record({
          times: fc.constant(times),
          isLastBack: fc.boolean(),
          steps: fc.shuffledSubarray([...reports, 'spend', 'spend', 'credit', 'credit'], {
            minLength: reports.length + 4,
          }),
        });
      })
      .map(({ times, isLastBack, steps }) => ({
        net: isLastBack ? 50_000n : 0n,
        steps: isLastBack ? steps : steps.filter((step) => step !== `returned ${times}`),
      }));
    await fc.assert(
      fc.asyncProperty(runs, async ({ net, steps }) => {
        const money = await credited();
        let spent = 0n;
        for (const step of steps) {
          const [what, event = ''] = step.split(' ');
          if (what === 'taken') await money.taken(event);
          else if (what === 'returned') await money.returned(event);
          else if (what === 'spend') spent += await money.spend(15_000n);
          else if ((await money.books()).review !== null) await money.resolve('credit');
        }
        await tryParked();
        await tryParked();
        const { user, debt, suspense = 0n, clearing, review } = await money.books();
        expect(user >= 0n && debt <= 0n && suspense >= 0n).toBe(true);
        expect(user + debt + suspense + spent).toBe(net);
        expect(clearing).toBe(-net);
        expect(review !== null).toBe(suspense > 0n);
        expect(await parkedNow()).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });
});
