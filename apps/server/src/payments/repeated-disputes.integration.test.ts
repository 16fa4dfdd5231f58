import { randomUUID } from 'node:crypto';
import { parkedPageSchema } from '@opencashier/contract/operator';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase } from '../database/testing/test-database.ts';
import { type AccountKind, accountBalance, lockUserBalance, postJournal } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { openOperatorApi } from '../operator-api/operator-api.fixture.ts';
import { STILL_PARKED } from '../provider-events/event-store.ts';
import { ann, type Bench, commandOf, createBench, reportOf, seedOperator } from './testing/payments.fixture.ts';

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

/** Opens a paid deposit of 500.00 INR of a new user, with actions on its money. */
async function credited(paid: Parameters<typeof reportOf>[1] = {}) {
  const caller = { ...ann, userId: `user-${randomUUID()}` };
  const command = commandOf({}, caller);
  const { depositId } = command.request;
  await bench.payments.createDeposit(command);
  await bench.payments.apply(reportOf(depositId, paid));
  const of = (kind: AccountKind, owner = caller.userId) =>
    accountBalance(database, 'op', { owner, asset: 'INR', kind });
  return {
    depositId,
    caller,
    dispute: (event: string) =>
      bench.payments.apply(
        reportOf(depositId, { ...paid, outcome: 'reversed', eventId: `${depositId}-disputed-${event}` }),
      ),
    returned: (event: string) => {
      const ref = `${depositId}-returned-${event}`;
      return bench.payments.apply(
        reportOf(depositId, { ...paid, outcome: 'returned', providerRef: ref, eventId: ref }),
      );
    },
    resolve: (decision: 'credit' | 'refund') =>
      bench.payments.resolveReview({ operatorId: 'op', id: depositId }, decision, 'eve'),
    /** The user spends up to this amount. */
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
          where deposit.id = $1 group by deposit.operator_id, deposit.id`,
        values: [depositId],
      });
      return { user: await of('user'), debt: await of('reversal_debt'), ...row };
    },
  };
}

const parkedNow = () =>
  database.query<{ outcome: string }>({ text: `select outcome from deposit_event where status = 'parked'` });
async function tryParked(): Promise<void> {
  await database.query({ text: `update deposit_event set next_at = now() where status = 'parked'` });
  await bench.payments.runDueWork();
}

describe('[SRV-2] [SRV-3] a second dispute of returned money', () => {
  test('takes the money from suspense and ends its review', async () => {
    const money = await credited();
    await money.dispute('1');
    await money.returned('1');
    expect(await money.books()).toMatchObject({ user: 0n, suspense: 50_000n, clearing: -50_000n, review: 'returned' });
    for (let times = 0; times < 3; times += 1) await money.dispute('2');
    expect(await money.books()).toEqual({
      user: 0n,
      debt: 0n,
      suspense: 0n,
      clearing: 0n,
      review: null,
      state: 'reversed',
    });
    await expect(money.resolve('credit')).rejects.toThrow('has no open review');
  });

  test('charges the credited user once, despite concurrent duplicates; spent money leaves a debt and a frozen account', async () => {
    const money = await credited();
    await money.dispute('1');
    await money.returned('1');
    await money.resolve('credit');
    expect(await money.spend(20_000n)).toBe(20_000n);
    await Promise.all(Array.from({ length: 5 }, () => money.dispute('2')));
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
      { amount: '500.00', currency: 'INR', status: 'failed' },
      { amount: '500.00', currency: 'INR', status: 'failed' },
    ]);
    // The money comes back once more, and pays the debt first.
    await money.returned('2');
    await money.resolve('credit');
    expect(await money.books()).toMatchObject({ user: 30_000n, debt: 0n, clearing: -50_000n });
    const again = await database.query<{ data: Record<string, string> }>({
      text: `select body::jsonb -> 'data' as data from webhook_delivery where deposit_id = $1 and type = 'deposit.reinstated'
        order by id`,
      values: [money.depositId],
    });
    expect(again.map(({ data: { amount, currency, paidDebt } }) => [amount, currency, paidDebt])).toEqual([
      ['500.00', 'INR', undefined],
      ['500.00', 'INR', '200.00'],
    ]);
  });

  test('that comes before the report of the return waits for that report', async () => {
    const money = await credited();
    await money.dispute('1');
    expect(await money.dispute('2')).toMatchObject({ outcome: 'unmatched' });
    expect(await parkedNow()).toEqual([{ outcome: 'not-returned-yet' }]);
    await money.returned('1');
    await tryParked();
    expect(await money.books()).toMatchObject({ user: 0n, debt: 0n, suspense: 0n, clearing: 0n, review: null });
    expect(await parkedNow()).toEqual([]);
    // Of two payments the one in review is charged back.
    await money.returned('2');
    await money.resolve('credit');
    await money.returned('3');
    await money.dispute('3');
    expect(await money.books()).toMatchObject({ user: 50_000n, debt: 0n, suspense: 0n, review: null });
  });

  test('after a refund by staff charges nobody: the report confirms that refund', async () => {
    const money = await credited();
    await money.dispute('1');
    await money.returned('1');
    await money.resolve('refund');
    expect(await money.dispute('2')).toMatchObject({ outcome: 'unchanged' });
    expect(await money.books()).toMatchObject({ user: 0n, debt: 0n, suspense: 0n, clearing: 0n });
    expect(await parkedNow()).toEqual([]);
  });

  test('of a second payment in suspense is booked once, in any order; the review of another payment stays open', async () => {
    const money = await credited();
    const second = (which: string, more: Parameters<typeof reportOf>[1] = {}) =>
      bench.payments.apply(reportOf(money.depositId, { providerRef: `${money.depositId}-${which}`, ...more }));
    await second('a', { paidMinor: 70_000n });
    await second('b', { paidMinor: 20_000n });
    for (let times = 0; times < 2; times += 1) await second('b', { outcome: 'reversed' });
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

  test('reported by two events is unmatched and alerts staff; once dismissed it charges nothing', async () => {
    const api = await openOperatorApi(database, bench.payments);
    const parked = async () => v.parse(parkedPageSchema, (await api.ask('/parked-reports')).body).reports;
    const money = await credited();
    await money.dispute('1');
    await money.dispute('1 again');
    const [report, ...others] = await parked();
    expect(others).toEqual([]);
    expect(report).toMatchObject({
      type: 'deposit',
      id: money.depositId,
      userId: money.caller.userId,
      outcome: 'reversed',
      reason: 'not-returned-yet',
      amount: '500.00',
      currency: 'INR',
      decisions: ['dismiss'],
    });
    const logs = () => bench.logs.filter(({ level, message }) => level === 'error' && message === STILL_PARKED);
    for (let tries = 0; tries < 9; tries += 1) await tryParked();
    expect(logs()).toMatchObject([{ fields: { deposit: money.depositId, why: 'not-returned-yet' } }]);

    const dismiss = (by: string, operatorId?: string) =>
      api.ask(`/parked-reports/${report?.reportId}/dismiss`, { decidedBy: by, reason: 'duplicate' }, operatorId);
    expect(await dismiss('eve', 'other')).toMatchObject({ status: 404 });
    const answers = await Promise.all([dismiss('eve'), dismiss('eve'), dismiss('eve')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await dismiss('bob')).body).toEqual(answers[0]?.body);
    expect(await parked()).toEqual([]);
    await money.returned('1');
    await tryParked();
    expect(await money.books()).toMatchObject({ suspense: 50_000n, review: 'returned' });
    await money.resolve('credit');
    // The dismissed report is no dispute. The next dispute charges the user.
    await money.dispute('2');
    expect(await money.books()).toMatchObject({ user: 0n, debt: 0n, suspense: 0n, clearing: 0n });
    // The report of a refund by staff is still expected.
    await money.returned('2');
    await money.resolve('refund');
    expect(await money.dispute('by staff')).toMatchObject({ outcome: 'unchanged' });
    expect(await parked()).toEqual([]);
    await api.close();
  });

  test('can be dismissed, but a report of incoming money cannot', async () => {
    const api = await openOperatorApi(database, bench.payments);
    const money = await credited({ paidMinor: 30_000n, currency: 'ZZCOIN' });
    const { reports } = v.parse(parkedPageSchema, (await api.ask('/parked-reports')).body);
    expect(reports).toMatchObject([
      { id: money.depositId, outcome: 'paid', reason: 'unknown-currency', decisions: [] },
    ]);
    const path = `/parked-reports/${reports[0]?.reportId}/dismiss`;
    expect(await api.ask(path, { decidedBy: 'eve', reason: 'no' })).toMatchObject({ code: 'state-conflict' });
    await database.query({ text: `delete from deposit_event where status = 'parked'` });
    await api.close();
  });

  test('after a bounced refund by staff: the returned money is reviewed again', async () => {
    const money = await credited({ paidMinor: 30_000n });
    expect(await money.returned('1')).toMatchObject({ outcome: 'unmatched' });
    await money.resolve('refund');
    await tryParked();
    expect(await money.books()).toMatchObject({ suspense: 30_000n, review: 'returned', state: 'declined' });
    await money.resolve('credit');
    expect(await money.books()).toMatchObject({ user: 30_000n, suspense: 0n, clearing: -30_000n });
    // The report of the refund by staff may come this late. Another report is another dispute.
    await money.dispute('by staff');
    expect(await money.books()).toMatchObject({ user: 30_000n, clearing: -30_000n });
    await money.dispute('2');
    expect(await money.books()).toMatchObject({ user: 0n, debt: 0n, clearing: 0n, review: null });

    const foreign = await credited({ paidMinor: 1_234n, currency: 'USD' });
    await foreign.resolve('refund');
    await foreign.returned('1');
    await expect(foreign.resolve('credit')).rejects.toThrow('another currency');
    await foreign.resolve('refund');
    expect(await foreign.books()).toMatchObject({ suspense: 0n, review: null });
  });

  test('in any order, with duplicates and decisions between: every amount is booked once', async () => {
    const runs = fc
      .integer({ min: 1, max: 3 })
      .chain((times) => {
        const events = Array.from({ length: times }, (_, index) => `${index + 1}`);
        const reports = events.flatMap((event) => [`disputed ${event}`, `disputed ${event}`, `returned ${event}`]);
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
          if (what === 'disputed') await money.dispute(event);
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
