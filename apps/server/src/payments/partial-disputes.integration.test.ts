/** Partial disputes: the provider takes a part of a payment, for example by a partial refund in its dashboard. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { type AccountKind, accountBalance, lockUserBalance, postJournal } from '../ledger/ledger.ts';
import type { DepositReport } from '../providers/provider.ts';
import { type Bench, refOf, reportOf } from './testing/payments.fixture.ts';
import { codeOf, depositStateOf, openDepositOf, withPayments } from './testing/with-payments.fixture.ts';

let database: Database;
let bench: Bench;
withPayments(
  (made) => {
    ({ database, bench } = made);
  },
  { hasWebhook: true },
);

async function paid() {
  const deposit = await openDepositOf(bench);
  await bench.payments.apply(reportOf(deposit.depositId));
  return deposit;
}

const dispute = (depositId: string, part: string, minor: bigint, more: Partial<DepositReport> = {}) =>
  bench.payments.apply(
    reportOf(depositId, { outcome: 'reversed', part, paidMinor: minor, eventId: `${depositId}:${part}`, ...more }),
  );

const balanceOf = (owner: string, kind: AccountKind = 'user') =>
  accountBalance(database, 'op', { owner, asset: 'INR', kind });

const spent = (owner: string, amount: bigint) =>
  database.transaction((transaction) =>
    postJournal(transaction, {
      operatorId: 'op',
      kind: 'test_spend',
      source: 'test',
      ref: randomUUID(),
      lines: [
        { owner, asset: 'INR', kind: 'user', amount: -amount },
        { owner: '', asset: 'INR', kind: 'operator_clearing', amount },
      ],
    }),
  );

async function hooksOf(depositId: string): Promise<string[]> {
  const rows = await database.query<{ hook: string }>({
    text: `select type || ' ' || (body::jsonb -> 'data' ->> 'amount') as hook from webhook_delivery where deposit_id = $1
      order by created_at`,
    values: [depositId],
  });
  return rows.map(({ hook }) => hook);
}

test('[SRV-2] [SRV-3] each part is charged back once, the deposit stays credited, and the last part reverses it', async () => {
  const { depositId, userId } = await paid();
  expect(await dispute(depositId, 're_1', 20_000n)).toMatchObject({ outcome: 'moved' });
  expect(await dispute(depositId, 're_1', 20_000n)).toMatchObject({ outcome: 'unchanged' });
  expect(await depositStateOf(database, depositId)).toBe('credited');
  expect(await balanceOf(userId)).toBe(30_000n);
  // Another event about the same part is unmatched, because it could be the same money.
  expect(await dispute(depositId, 're_1', 20_000n, { eventId: `${depositId}:again` })).toMatchObject({
    outcome: 'unmatched',
  });
  expect(await dispute(depositId, 're_2', 30_001n)).toMatchObject({ outcome: 'unmatched' });
  expect(await balanceOf(userId)).toBe(30_000n);
  expect(await dispute(depositId, 'dp_1', 30_000n)).toMatchObject({ outcome: 'moved' });
  expect(await depositStateOf(database, depositId)).toBe('reversed');
  expect(await balanceOf(userId)).toBe(0n);
  expect(await hooksOf(depositId)).toEqual([
    'deposit.processed 500.00',
    'deposit.reversed 200.00',
    'deposit.reversed 300.00',
  ]);
});

test('[SRV-2] a dispute of the whole after a part charges back the rest', async () => {
  const { depositId, userId } = await paid();
  await dispute(depositId, 're_1', 20_000n);
  await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
  expect(await depositStateOf(database, depositId)).toBe('reversed');
  expect([await balanceOf(userId), await balanceOf(userId, 'reversal_debt')]).toEqual([0n, 0n]);
});

test('[SRV-2] a partial chargeback of spent money leaves a debt', async () => {
  const { depositId, userId } = await paid();
  await spent(userId, 45_000n);
  await dispute(depositId, 'dp_1', 20_000n);
  expect([await balanceOf(userId), await balanceOf(userId, 'reversal_debt')]).toEqual([0n, -15_000n]);
});

test('[SRV-3] a partial dispute that comes before its payment waits for the payment', async () => {
  const { depositId, userId } = await openDepositOf(bench);
  expect(await dispute(depositId, 're_1', 20_000n)).toMatchObject({ outcome: 'unmatched' });
  await bench.payments.apply(reportOf(depositId));
  await bench.payments.runDueWork();
  expect(await balanceOf(userId)).toBe(30_000n);
});

test('[SRV-2] [SRV-3] a returned part is reviewed and credited', async () => {
  const { depositId, userId } = await paid();
  const back = (minor: bigint, nth: number) => {
    const providerRef = `${refOf(depositId)}:returned:${nth}`;
    const report = { outcome: 'returned', part: 'dp_1', paidMinor: minor, providerRef, eventId: providerRef } as const;
    return bench.payments.apply(reportOf(depositId, report));
  };
  expect(await back(20_000n, 1)).toMatchObject({ outcome: 'unmatched' });
  expect(await balanceOf('', 'suspense')).toBe(0n);
  await dispute(depositId, 'dp_1', 20_000n);
  await bench.payments.runDueWork();
  expect(await balanceOf('', 'suspense')).toBe(20_000n);
  await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam');
  expect(await balanceOf(userId)).toBe(50_000n);
  expect(await depositStateOf(database, depositId)).toBe('credited');
});

describe('[SRV-2] [SRV-3] after a part was returned', () => {
  const back = (depositId: string, part: string, minor?: bigint) => {
    const providerRef = `${refOf(depositId)}:returned:${part}`;
    const more = minor === undefined ? {} : { part, paidMinor: minor };
    return bench.payments.apply(
      reportOf(depositId, { outcome: 'returned', providerRef, eventId: providerRef, ...more }),
    );
  };
  const whole = (depositId: string, event = 'whole') =>
    bench.payments.apply(reportOf(depositId, { outcome: 'reversed', eventId: `${depositId}:${event}` }));

  test('a dispute of the whole charges back everything, the credited part too, and only once', async () => {
    const { depositId, userId } = await paid();
    await dispute(depositId, 'dp_1', 20_000n);
    await back(depositId, 'dp_1', 20_000n);
    await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam');
    expect(await balanceOf(userId)).toBe(50_000n);
    expect(await whole(depositId)).toMatchObject({ outcome: 'moved' });
    expect(await depositStateOf(database, depositId)).toBe('reversed');
    expect([await balanceOf(userId), await balanceOf(userId, 'reversal_debt')]).toEqual([0n, 0n]);
    expect(await hooksOf(depositId)).toEqual([
      'deposit.processed 500.00',
      'deposit.reversed 200.00',
      'deposit.under_review 500.00',
      'deposit.reinstated 200.00',
      'deposit.reversed 500.00',
    ]);
    // Another event about the same dispute matches nothing.
    expect(await whole(depositId, 'again')).toMatchObject({ outcome: 'unmatched' });
    await bench.payments.runDueWork();
    expect([await balanceOf(userId), await balanceOf(userId, 'reversal_debt')]).toEqual([0n, 0n]);
    // The whole amount comes back. The waiting report then takes it, once.
    await back(depositId, 'whole');
    await bench.payments.runDueWork();
    expect(await balanceOf('', 'suspense')).toBe(0n);
    expect([await balanceOf(userId), await balanceOf(userId, 'reversal_debt')]).toEqual([0n, 0n]);
  });

  test('a dispute of the whole also takes the part in suspense, and ends its review', async () => {
    const { depositId, userId } = await paid();
    await dispute(depositId, 'dp_1', 20_000n);
    await back(depositId, 'dp_1', 20_000n);
    expect(await whole(depositId)).toMatchObject({ outcome: 'moved' });
    expect([await balanceOf(userId), await balanceOf('', 'suspense')]).toEqual([0n, 0n]);
    await expect(bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam')).rejects.toThrow(
      'has no open review',
    );
    await back(depositId, 'whole');
    await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam');
    expect(await whole(depositId, 'once more')).toMatchObject({ outcome: 'moved' });
    expect([await balanceOf(userId), await balanceOf(userId, 'reversal_debt')]).toEqual([0n, 0n]);
  });

  test('a further partial dispute is limited by what the user has', async () => {
    const { depositId, userId } = await paid();
    await dispute(depositId, 'dp_1', 20_000n);
    await back(depositId, 'dp_1', 20_000n);
    expect(await dispute(depositId, 'dp_2', 40_000n)).toMatchObject({ outcome: 'unmatched' });
    await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam');
    await bench.payments.runDueWork();
    expect(await balanceOf(userId)).toBe(10_000n);
    expect(await depositStateOf(database, depositId)).toBe('credited');
  });

  test('a part that staff sent back is not charged to the user when the provider reports it', async () => {
    const { depositId, userId } = await paid();
    await dispute(depositId, 'dp_1', 20_000n);
    await back(depositId, 'dp_1', 20_000n);
    await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'refund', 'sam');
    expect(await dispute(depositId, 're_1', 20_000n)).toMatchObject({ outcome: 'unchanged' });
    expect(await balanceOf(userId)).toBe(30_000n);
    // Another report of the same amount is another dispute.
    expect(await dispute(depositId, 're_2', 20_000n)).toMatchObject({ outcome: 'moved' });
    expect(await balanceOf(userId)).toBe(10_000n);
  });

  test('the same part does not come back twice', async () => {
    const { depositId } = await paid();
    await dispute(depositId, 'dp_1', 20_000n);
    await back(depositId, 'dp_1', 20_000n);
    expect(await back(depositId, 'dp_1 again', 20_000n)).toMatchObject({ outcome: 'unmatched' });
    expect(await balanceOf('', 'suspense')).toBe(20_000n);
    await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'refund', 'sam');
    await bench.payments.runDueWork();
    await database.query({ text: `delete from deposit_event where status = 'parked'` });
  });

  const CREDIT = 50_000n;
  const amounts = fc.array(fc.constantFrom(10_000n, 20_000n, 30_000n), { minLength: 1, maxLength: 3 });
  const spend = async (owner: string) => {
    const { balance } = await database.transaction((transaction) => lockUserBalance(transaction, 'op', owner, 'INR'));
    const amount = balance < 15_000n ? balance : 15_000n;
    if (amount > 0n) await spent(owner, amount);
    return amount;
  };
  const booksOf = async (depositId: string) => {
    const [row] = await database.query<{ suspense: bigint; clearing: bigint; review: string | null; state: string }>({
      text: `select review, state,
          coalesce(sum(posting.amount) filter (where account.kind = 'suspense'), 0)::bigint as suspense,
          coalesce(-sum(posting.amount) filter (where account.kind = 'provider_clearing'), 0)::bigint as clearing
        from deposit join journal on journal.deposit_id = deposit.id
        join posting on posting.journal_id = journal.id join account on account.id = posting.account_id
        where deposit.id = $1 group by deposit.operator_id, deposit.id`,
      values: [depositId],
    });
    if (row === undefined) throw new Error('The deposit has no postings');
    return row;
  };
  test('a return of the whole after a part is unmatched, because more would come back than was credited', async () => {
    const { depositId, userId } = await paid();
    await dispute(depositId, 'dp_1', 30_000n);
    await whole(depositId);
    await back(depositId, 'dp_1', 30_000n);
    expect(await back(depositId, 'whole')).toMatchObject({ outcome: 'unmatched' });
    expect(await booksOf(depositId)).toMatchObject({ suspense: 30_000n, clearing: 30_000n });
    await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam');
    await bench.payments.runDueWork();
    expect(await booksOf(depositId)).toMatchObject({ suspense: 0n, clearing: 30_000n });
    expect(await balanceOf(userId)).toBe(30_000n);
    await database.query({ text: `delete from deposit_event where status = 'parked'` });
  });

  const tryParked = async () => {
    await database.query({ text: `update deposit_event set next_at = now() where status = 'parked'` });
    await bench.payments.runDueWork();
  };
  /** Staff decide the open review, and the provider reports the money that they sent back. */
  const decideOf = async (depositId: string, decision: 'credit' | 'refund', nth: number) => {
    const before = await booksOf(depositId);
    if (before.review === null) return 0n;
    await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, decision, 'sam');
    const sent = before.clearing - (await booksOf(depositId)).clearing;
    if (sent > 0n) await dispute(depositId, `sent ${nth}`, sent);
    return sent;
  };

  test('reports in order: after each step the ledger agrees with the provider', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('disputed' as const), minor: fc.constantFrom(10_000n, 20_000n, 30_000n) }),
      fc.constantFrom<{ kind: 'returned' | 'credit' | 'refund' | 'spend' }[]>(
        { kind: 'returned' },
        { kind: 'credit' },
        { kind: 'refund' },
        { kind: 'spend' },
      ),
    );
    const steps = fc.array(step, { minLength: 3, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (run, isWholeTaken) => {
        const { depositId, userId } = await paid();
        let has = CREDIT;
        let given = CREDIT;
        let gone = 0n;
        const out: { part: string; minor: bigint }[] = [];
        const check = async () => {
          const { suspense, clearing, review } = await booksOf(depositId);
          const rest = (await balanceOf(userId)) + (await balanceOf(userId, 'reversal_debt')) + gone;
          expect([clearing, rest + suspense]).toEqual([has, has]);
          expect(review !== null).toBe(suspense > 0n);
          expect(rest).toBe(given);
        };
        for (const [nth, { kind, ...more }] of run.entries()) {
          if (kind === 'disputed' && 'minor' in more && more.minor < given) {
            await dispute(depositId, `${nth}`, more.minor);
            has -= more.minor;
            given -= more.minor;
            out.push({ part: `${nth}`, minor: more.minor });
          } else if (kind === 'returned') {
            const one = out.pop();
            if (one !== undefined) await back(depositId, one.part, one.minor);
            has += one?.minor ?? 0n;
          } else if (kind === 'credit' || kind === 'refund') {
            const { suspense } = await booksOf(depositId);
            const sent = await decideOf(depositId, kind, nth);
            has -= sent;
            if (kind === 'credit') given += suspense - (await booksOf(depositId)).suspense;
          } else if (kind === 'spend') gone += await spend(userId);
          await check();
        }
        if (isWholeTaken) {
          await whole(depositId);
          has = 0n;
          given = 0n;
          await check();
          for (const { part, minor } of out) {
            await back(depositId, part, minor);
            has += minor;
          }
          await check();
        }
        await database.query({ text: `delete from deposit_event where status = 'parked'` });
      }),
      { numRuns: 25 },
    );
  });

  test('reports in any order: never more leaves than came, and every report is booked or unmatched with a reason', async () => {
    const runs = amounts.chain((parts) => {
      const reports = parts.flatMap((_, part) => [`disputed ${part}`, `disputed ${part}`, `returned ${part}`]);
      const steps = [...reports, 'whole', 'whole again', 'back', 'spend', 'credit', 'credit', 'refund'];
      return fc.record({
        parts: fc.constant(parts),
        steps: fc.shuffledSubarray(steps, { minLength: steps.length - 3 }),
      });
    });
    await fc.assert(
      fc.asyncProperty(runs, async ({ parts, steps }) => {
        const { depositId, userId } = await paid();
        let gone = 0n;
        let isAllDisputed = false;
        for (const [nth, step] of [
          ...steps,
          'retry',
          'credit',
          'retry',
          'credit',
          'retry',
          'credit',
          'retry',
        ].entries()) {
          const [what, which = '0'] = step.split(' ');
          const minor = parts[Number(which)] ?? 0n;
          if (what === 'disputed') await dispute(depositId, `p${which}`, minor);
          else if (what === 'returned') await back(depositId, `p${which}`, minor);
          else if (what === 'whole') await whole(depositId, `whole ${which}`);
          else if (what === 'back') await back(depositId, 'whole');
          else if (what === 'spend') gone += await spend(userId);
          else if (what === 'retry') await tryParked();
          else await decideOf(depositId, what === 'refund' ? 'refund' : 'credit', nth);
          const { suspense, clearing, review } = await booksOf(depositId);
          const [user, debt] = [await balanceOf(userId), await balanceOf(userId, 'reversal_debt')];
          expect(user >= 0n && debt <= 0n && suspense >= 0n && clearing >= 0n && clearing <= CREDIT).toBe(true);
          expect(user + debt + gone + suspense).toBe(clearing);
          expect(review !== null).toBe(suspense > 0n);
          // A reversed deposit stays reversed, also when returned money is credited.
          isAllDisputed ||= user + debt + gone === 0n;
        }
        const waiting = await database.query<{ outcome: string }>({
          text: `select outcome from deposit_event where deposit_id = $1 and status = 'parked'`,
          values: [depositId],
        });
        const whys = [
          'more-than-was-left',
          'reversed-before',
          'not-taken-back-yet',
          'not-returned-yet',
          'more-than-had-left',
        ];
        for (const { outcome } of waiting) expect(whys).toContain(outcome);
        const isWhole = steps.some((step) => step.startsWith('whole'));
        expect((await depositStateOf(database, depositId)) === 'reversed').toBe(isWhole || isAllDisputed);
        await database.query({ text: `delete from deposit_event where status = 'parked'` });
      }),
      { numRuns: 25 },
    );
  });
});

test('[SRV-1] a partly disputed deposit cannot be refunded', async () => {
  const { depositId } = await paid();
  await dispute(depositId, 're_1', 20_000n);
  const refund = { operatorId: 'op', depositId, refundId: randomUUID(), staff: 'sam' };
  expect(await codeOf(bench.payments.refundDeposit(refund))).toBe('state-conflict');
});
