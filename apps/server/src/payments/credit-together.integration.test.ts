/** Reports that are applied together leave the same rows as reports that are applied one by one. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database, Statement, Transaction } from '../database/database.ts';
import { userBalance } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { noSpans } from '../observability/spans.ts';
import type { Caller } from '../operators/caller.ts';
import type { Failpoint } from '../payment-ports/failpoints.ts';
import type { RunnerPorts } from '../provider-events/apply-report.ts';
import type { DepositReport } from '../providers/provider.ts';
import { putBox } from '../sweepstake/box-store.ts';
import { signal } from '../testing/signal.fixture.ts';
import { intent } from '../withdrawals/withdrawals.fixture.ts';
import { createReportBatches } from './apply.ts';
import { ann, type Bench, callbackOf, commandOf, createBench, refOf, reportOf } from './testing/payments.fixture.ts';
import { rowsOfUsers } from './testing/rows-of-users.fixture.ts';
import { creditsOf, depositStateOf, openDepositOf, withPayments } from './testing/with-payments.fixture.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

const operators = ['one-a', 'one-b', 'all-a', 'all-b'];
beforeEach(async () => {
  for (const id of operators) {
    await database.query({
      text: `insert into operator (id, partner_key, name, webhook_url, debts_paid_by_deposits, accounts_released_when_paid)
        values ($1, $1, $1, 'https://operator.example/hook', true, true) on conflict do nothing`,
      values: [id],
    });
  }
});

function portsOn(over: Database, failpoint?: (name: Failpoint) => void): RunnerPorts {
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  return { database: over, logger, spans: noSpans, onChange: () => undefined, ...(failpoint && { failpoint }) };
}

/** The number of deposits in each statement that credits deposits together, as they come. */
function counted(over: Database): { database: Database; batches: string[][] } {
  const batches: string[][] = [];
  const query = <Row>(transaction: Transaction, statement: Statement) => {
    const [ids] = statement.values ?? [];
    if (statement.text.startsWith(`update deposit set state = 'credited'`)) batches.push([ids as string[]].flat());
    return transaction.query<Row>(statement);
  };
  return {
    batches,
    database: {
      ...over,
      transaction: (work) =>
        over.transaction((transaction) =>
          work({ ...transaction, query: <Row>(statement: Statement) => query<Row>(transaction, statement) }),
        ),
    },
  };
}

describe('[SRV-3] reports in batches', () => {
  interface Plan {
    readonly operator: 'a' | 'b';
    readonly user: number;
    readonly kind: 'card' | 'coin' | 'box' | 'indebted';
  }
  interface Step {
    readonly deposit: number;
    readonly report: Partial<DepositReport>;
    readonly event: number;
    readonly isByRef: boolean;
    readonly copies: number;
  }
  const chain = { txid: 'tx', blockchain: 'Tron', cryptoCurrency: 'USDT', confirmations: 1, requiredConfirmations: 1 };
  const plan = fc.record<Plan>({
    operator: fc.constantFrom('a', 'b'),
    user: fc.nat({ max: 2 }),
    kind: fc.constantFrom('card', 'card', 'card', 'coin', 'box', 'indebted'),
  });
  const report = fc.constantFrom<Partial<DepositReport>>(
    ...Array(12).fill({}),
    { paidMinor: 49_999n },
    { paidMinor: 70_000n },
    { currency: 'USD' },
    { providerRef: 'another' },
    { remoteStatus: 'PAYED' },
    { chain },
    { contradiction: 'test-mode-report' },
    { provider: 'stranger' },
    { outcome: 'pending' },
    { outcome: 'declined' },
    { outcome: 'expired' },
    { outcome: 'reversed' },
    { outcome: 'reversed', part: 'p', paidMinor: 10_000n },
    { outcome: 'returned', providerRef: 'back', part: 'p', paidMinor: 10_000n },
  );
  const step = (deposits: number) =>
    fc.record<Step>({
      deposit: fc.nat({ max: deposits - 1 }),
      report,
      event: fc.nat({ max: 2 }),
      isByRef: fc.boolean(),
      copies: fc.constantFrom(1, 1, 2),
    });
  const runs = fc.array(plan, { minLength: 8, maxLength: 16 }).chain((plans) =>
    fc.record({
      plans: fc.constant(plans),
      // Reports of one deposit follow each other, because their order may decide about the money.
      rounds: fc.array(fc.uniqueArray(step(plans.length), { selector: ({ deposit }) => deposit, minLength: 6 }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  );

  interface World {
    readonly deposits: readonly string[];
    readonly users: readonly string[];
    reportsOf(steps: readonly Step[]): DepositReport[];
    rows(): Promise<string[]>;
  }

  /** The planned deposits of the users of two operators. */
  async function worldOf(name: 'one' | 'all', plans: readonly Plan[]): Promise<World> {
    const run = `${name}-${randomUUID()}`;
    const deposits: string[] = [];
    const users = new Set<string>();
    const names = new Map([[run, 'run']]);
    for (const [index, { operator, user, kind }] of plans.entries()) {
      const userId = kind === 'indebted' ? `${run}-debtor-${index}` : `${run}-user-${user}`;
      const operatorId = `${name}-${operator}`;
      const caller: Caller = { ...ann, operatorId, partnerKey: operatorId, userId };
      users.add(userId);
      if (kind === 'indebted') await indebt(caller, names, `debt ${index}`);
      const boxId = randomUUID();
      if (kind === 'box') {
        const terms = { group: '', position: 0, price: '500', currency: 'INR', gold: '10000', sweep: '20.50' };
        await putBox(database, operatorId, boxId, terms);
        names.set(boxId, `box ${index}`);
      }
      const command = commandOf({ paymentType: kind === 'coin' ? 'coin' : 'card' }, caller);
      await bench.payments.createDeposit(kind === 'box' ? { ...command, box: { boxId } } : command);
      const { depositId } = command.request;
      deposits.push(depositId);
      names.set(depositId, `deposit ${index}`);
    }
    return {
      deposits,
      users: [...users],
      reportsOf: (steps) =>
        steps.flatMap(({ deposit, report: more, event, isByRef, copies }) => {
          const depositId = deposits[deposit] ?? '';
          const { depositId: _id, ...unnamed } = reportOf(depositId, more);
          const providerRef =
            more.providerRef === undefined ? refOf(depositId) : `${run}-${deposit}-${more.providerRef}`;
          const made = {
            ...unnamed,
            ...(!isByRef && { depositId }),
            providerRef,
            eventId: `${run}-${deposit}-${event}`,
          };
          return Array<DepositReport>(copies).fill(made);
        }),
      rows: () => rowsOfUsers(database, [...users], [...names, [`${name}-a`, 'a'], [`${name}-b`, 'b']]),
    };
  }

  /** A user with a debt of 300.00. */
  async function indebt(caller: Caller, names: Map<string, string>, name: string): Promise<void> {
    const command = commandOf({}, caller);
    await bench.payments.createDeposit(command);
    const { depositId } = command.request;
    const eventId = randomUUID();
    await bench.payments.apply(reportOf(depositId, { eventId: `paid-${eventId}` }));
    const spent = intent(caller, { amount: '300.00' });
    await bench.payments.withdrawals.create(spent);
    await bench.payments.apply(reportOf(depositId, { outcome: 'reversed', eventId: `taken-${eventId}` }));
    for (const id of [depositId, eventId, spent.request.withdrawalId]) names.set(id, name);
  }

  test('leave exactly the rows that they leave one by one', async () => {
    let shared = 0;
    await fc.assert(
      fc.asyncProperty(runs, async ({ plans, rounds }) => {
        const one = await worldOf('one', plans);
        const all = await worldOf('all', plans);
        const { database: watched, batches } = counted(database);
        const apply = createReportBatches(portsOn(watched));
        for (const steps of rounds) {
          const alone = [];
          for (const each of one.reportsOf(steps)) alone.push((await bench.payments.apply(each)).outcome);
          const together = await Promise.all(all.reportsOf(steps).map((each) => apply(each)));
          // Copies of a report that is applied alone race each other.
          expect(together.map(({ outcome }) => outcome).sort()).toEqual(alone.sort());
        }
        expect(await all.rows()).toEqual(await one.rows());
        shared += batches.filter(({ length }) => length > 1).length;
      }),
      { numRuns: 15 },
    );
    // Else the property would say nothing about batches.
    expect(shared).toBeGreaterThan(3);
    expect((await auditLedger(database)).isSound).toBe(true);
  });

  test('never share a transaction between operators', async () => {
    const plans: Plan[] = ['a', 'b', 'a', 'b'].map((operator) => ({
      operator: operator as 'a' | 'b',
      user: 0,
      kind: 'card',
    }));
    const { deposits } = await worldOf('all', plans);
    const { database: watched, batches } = counted(database);
    const apply = createReportBatches(portsOn(watched));
    const applied = await Promise.all(deposits.map((id) => apply(reportOf(id))));
    expect(applied.map(({ outcome }) => outcome)).toEqual(Array(4).fill('credited'));
    const [first, second, third, fourth] = deposits;
    expect(batches.map((ids) => [...ids].sort()).sort()).toEqual(
      [[first, third].sort(), [second, fourth].sort()].sort(),
    );
  });

  test('a report that the ledger refuses is kept as unmatched, and its 63 neighbours are credited', async () => {
    const opened = await Promise.all(Array.from({ length: 63 }, () => openDepositOf(bench)));
    // The provider's reference of this deposit is unknown, so only the ledger can refuse the money of another deposit.
    bench.provider.onCreate = async () => ({ kind: 'unknown', code: 'timeout' });
    const command = commandOf({}, { ...ann, userId: 'poisoned' });
    await bench.payments.createDeposit(command).catch(() => undefined);
    const poisoned = command.request.depositId;
    const ref = refOf(randomUUID());
    await bench.payments.apply(reportOf(opened[0]?.depositId ?? '', { providerRef: ref }));
    opened.splice(17, 0, { caller: command.caller, userId: 'poisoned', depositId: poisoned });
    const reports = opened.map(({ depositId }) =>
      reportOf(depositId, depositId === poisoned ? { providerRef: ref } : {}),
    );
    await Promise.all(reports.map((each) => bench.payments.receiveCallback('fake', callbackOf(each))));
    await bench.payments.runDueWork();
    for (const { depositId, userId } of opened) {
      const isPoisoned = depositId === poisoned;
      expect(await depositStateOf(database, depositId)).toBe(isPoisoned ? 'submitted_unknown' : 'credited');
      expect(await userBalance(database, 'op', userId, 'INR')).toBe(isPoisoned ? 0n : 50_000n);
    }
    const [kept] = await database.query({
      text: 'select status, outcome from deposit_event where event_id = $1',
      values: [reports[17]?.eventId],
    });
    expect(kept).toEqual({ status: 'parked', outcome: 'payment_reported_once' });
  });

  test('a deposit that changes between its look-up and its batch is applied alone, and its neighbours together', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => openDepositOf(bench)));
    const [changed = '', seen = ''] = [opened[3]?.depositId, opened[5]?.depositId];
    let isChanged = false;
    const racing: Database = {
      ...database,
      async transaction(work) {
        if (!isChanged) {
          isChanged = true;
          await bench.payments.apply(reportOf(changed, { outcome: 'declined' }));
          await bench.payments.apply(reportOf(seen, { outcome: 'pending', remoteStatus: 'PAYED' }));
        }
        return database.transaction(work);
      },
    };
    const apply = createReportBatches(portsOn(racing));
    const outcomes = await Promise.all(opened.map(async ({ depositId }) => (await apply(reportOf(depositId))).outcome));
    expect(outcomes).toEqual(opened.map(({ depositId }) => (depositId === changed ? 'suspended' : 'credited')));
    expect(await depositStateOf(database, changed)).toBe('late_paid');
    // The database would accept the credit of this one, but its user would get the row before the change.
    const [push] = await database.query<{ body: object }>({
      text: `select body from outbox where body ->> 'depositId' = $1 order by id desc limit 1`,
      values: [seen],
    });
    expect(push?.body).toMatchObject({ finalAmount: '500.00', remoteStatus: 'PAYED' });
  });

  // The embedded database has one connection, so there nobody holds a row while others write.
  if (process.env['TEST_DATABASE'] === 'postgres') {
    test('a deposit that somebody holds holds up its own credit, and no other', async () => {
      const opened = await Promise.all(Array.from({ length: 8 }, () => openDepositOf(bench)));
      const [held, ...free] = opened.map(({ depositId }) => depositId);
      const began = signal();
      const areNeighboursDone = signal();
      const holder = database.transaction(async (transaction) => {
        await transaction.query({ text: 'select 1 from deposit where id = $1 for update', values: [held] });
        began.give();
        await areNeighboursDone.given;
      });
      await began.given;
      const apply = createReportBatches(portsOn(database));
      const outcomeOf = async (id: string | undefined) => (await apply(reportOf(id ?? ''))).outcome;
      const own = outcomeOf(held);
      expect(await Promise.all(free.map(outcomeOf))).toEqual(free.map(() => 'credited'));
      areNeighboursDone.give();
      await holder;
      expect(await own).toBe('credited');
    });

    test('a batch that meets a held row for longer than its wait is tried together once more', async () => {
      const opened = await Promise.all(Array.from({ length: 8 }, () => openDepositOf(bench)));
      const began = signal();
      const hasGivenUp = signal();
      const holder = database.transaction(async (transaction) => {
        const values = [opened[0]?.depositId];
        await transaction.query({ text: 'select 1 from deposit where id = $1 for update', values });
        began.give();
        await hasGivenUp.given;
      });
      await began.given;
      const { database: counting, batches } = counted(database);
      const apply = createReportBatches({
        ...portsOn(counting),
        logger: { info: () => undefined, warn: hasGivenUp.give, error: () => undefined },
      });
      const outcomes = await Promise.all(
        opened.map(async ({ depositId }) => (await apply(reportOf(depositId))).outcome),
      );
      await holder;
      expect(outcomes).toEqual(opened.map(() => 'credited'));
      // A report that is applied alone does not use this statement.
      expect(batches.flat().sort()).toEqual(opened.map(({ depositId }) => depositId).sort());
    });
  }

  test('[SRV-2] two nodes that apply overlapping batches at once credit each deposit once', async () => {
    const opened = await Promise.all(Array.from({ length: 48 }, () => openDepositOf(bench)));
    const reports = opened.map(({ depositId }) => reportOf(depositId));
    const nodes = [createReportBatches(portsOn(database)), createReportBatches(portsOn(database))];
    // Each node gets the reports in another order, and every third under another event.
    const orders = [reports, [...reports].reverse().map((each, n) => (n % 3 ? each : reportOf(each.depositId ?? '')))];
    const applied = await Promise.all(
      nodes.flatMap((apply, node) => (orders[node] ?? []).map(async (each) => (await apply(each)).outcome)),
    );
    expect(applied.filter((outcome) => outcome === 'credited')).toHaveLength(48);
    expect(applied.filter((outcome) => outcome === 'unchanged')).toHaveLength(48);
    for (const { depositId, userId } of opened) {
      expect(await creditsOf(database, depositId)).toBe(1);
      expect(await userBalance(database, 'op', userId, 'INR')).toBe(50_000n);
    }
  });

  test('pass each failpoint once for each callback, and a crash before the commit loses the whole batch and nothing else', async () => {
    const opened = await Promise.all(Array.from({ length: 12 }, () => openDepositOf(bench)));
    const passed: Failpoint[] = [];
    let isDying = true;
    const node = createBench(database, {
      failpoint: (name) => {
        passed.push(name);
        if (isDying && name === 'credit-uncommitted') throw new Error('crash');
      },
    });
    for (const { depositId } of opened) await node.payments.receiveCallback('fake', callbackOf(reportOf(depositId)));
    await node.payments.runDueWork();
    expect(await creditedOf(opened)).toBe(0);
    isDying = false;
    passed.length = 0;
    await database.query({ text: `update inbox_queue set next_at = now() where status = 'new'` });
    await node.payments.runDueWork();
    expect(await creditedOf(opened)).toBe(12);
    for (const name of ['callback-claimed', 'credit-uncommitted', 'callback-applied', 'callback-finished']) {
      expect(passed.filter((point) => point === name)).toHaveLength(12);
    }
  });

  const creditedOf = async (opened: readonly { readonly depositId: string }[]): Promise<number> => {
    const states = await Promise.all(opened.map(({ depositId }) => depositStateOf(database, depositId)));
    return states.filter((state) => state === 'credited').length;
  };
});
