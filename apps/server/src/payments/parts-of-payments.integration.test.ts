/** A provider takes back a part of a payment, such as by a refund in its dashboard or a dispute about one of several goods. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { type AccountKind, accountBalance, postJournal } from '../ledger/ledger.ts';
import type { ProviderEvidence } from '../providers/provider.ts';
import { type Bench, evidenceOf, refOf } from './payments.fixture.ts';
import { codeOf, depositStateOf, openDepositOf, withPayments } from './with-payments.fixture.ts';

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
  await bench.payments.apply(evidenceOf(deposit.depositId));
  return deposit;
}

const taken = (depositId: string, part: string, minor: bigint, more: Partial<ProviderEvidence> = {}) =>
  bench.payments.apply(
    evidenceOf(depositId, { outcome: 'reversed', part, paidMinor: minor, eventId: `${depositId}:${part}`, ...more }),
  );

const balanceOf = (owner: string, kind: AccountKind = 'user') =>
  accountBalance(database, 'op', { owner, asset: 'INR', kind });

async function hooksOf(depositId: string): Promise<string[]> {
  const rows = await database.query<{ hook: string }>({
    text: `select type || ' ' || (body::jsonb -> 'data' ->> 'amount') as hook from webhook_delivery where deposit_id = $1
      order by created_at`,
    values: [depositId],
  });
  return rows.map(({ hook }) => hook);
}

test('[SRV-2] [SRV-3] each part is taken once, the deposit stays credited, and with the last part it is reversed', async () => {
  const { depositId, userId } = await paid();
  expect(await taken(depositId, 're_1', 20_000n)).toMatchObject({ outcome: 'moved' });
  expect(await taken(depositId, 're_1', 20_000n)).toMatchObject({ outcome: 'unchanged' });
  expect(await depositStateOf(database, depositId)).toBe('credited');
  expect(await balanceOf(userId)).toBe(30_000n);
  // Told under another name it would be the same money: it waits for people.
  expect(await taken(depositId, 're_1', 20_000n, { eventId: `${depositId}:again` })).toMatchObject({
    outcome: 'parked',
  });
  expect(await taken(depositId, 're_2', 30_001n)).toMatchObject({ outcome: 'parked' });
  expect(await balanceOf(userId)).toBe(30_000n);
  expect(await taken(depositId, 'dp_1', 30_000n)).toMatchObject({ outcome: 'moved' });
  expect(await depositStateOf(database, depositId)).toBe('reversed');
  expect(await balanceOf(userId)).toBe(0n);
  expect(await hooksOf(depositId)).toEqual([
    'deposit.processed 500.00',
    'deposit.reversed 200.00',
    'deposit.reversed 300.00',
  ]);
});

test('[SRV-2] all that is left goes where the whole payment is taken after a part', async () => {
  const { depositId, userId } = await paid();
  await taken(depositId, 're_1', 20_000n);
  await bench.payments.apply(evidenceOf(depositId, { outcome: 'reversed' }));
  expect(await depositStateOf(database, depositId)).toBe('reversed');
  expect([await balanceOf(userId), await balanceOf(userId, 'reversal_debt')]).toEqual([0n, 0n]);
});

test('[SRV-2] a part of what the user has spent is a debt', async () => {
  const { depositId, userId } = await paid();
  await database.transaction((transaction) =>
    postJournal(transaction, {
      operatorId: 'op',
      kind: 'test_spend',
      source: 'test',
      ref: randomUUID(),
      lines: [
        { owner: userId, asset: 'INR', kind: 'user', amount: -45_000n },
        { owner: '', asset: 'INR', kind: 'operator_clearing', amount: 45_000n },
      ],
    }),
  );
  await taken(depositId, 'dp_1', 20_000n);
  expect([await balanceOf(userId), await balanceOf(userId, 'reversal_debt')]).toEqual([0n, -15_000n]);
});

test('[SRV-3] a part that is told before its payment waits for it, and then takes it', async () => {
  const { depositId, userId } = await openDepositOf(bench);
  expect(await taken(depositId, 're_1', 20_000n)).toMatchObject({ outcome: 'parked' });
  await bench.payments.apply(evidenceOf(depositId));
  await bench.payments.runDueWork();
  expect(await balanceOf(userId)).toBe(30_000n);
});

test('[SRV-2] [SRV-3] a part that comes back is reviewed, and given to its user', async () => {
  const { depositId, userId } = await paid();
  const back = (minor: bigint, nth: number) => {
    const providerRef = `${refOf(depositId)}:returned:${nth}`;
    const report = { outcome: 'returned', part: 'dp_1', paidMinor: minor, providerRef, eventId: providerRef } as const;
    return bench.payments.apply(evidenceOf(depositId, report));
  };
  expect(await back(20_000n, 1)).toMatchObject({ outcome: 'parked' });
  expect(await balanceOf('', 'suspense')).toBe(0n);
  await taken(depositId, 'dp_1', 20_000n);
  await bench.payments.runDueWork();
  expect(await balanceOf('', 'suspense')).toBe(20_000n);
  await bench.payments.resolveReview(depositId, 'credit', 'sam');
  expect(await balanceOf(userId)).toBe(50_000n);
  expect(await depositStateOf(database, depositId)).toBe('credited');
  // Less than the whole would be taken by itself: it waits for people, by its name.
  expect(await bench.payments.apply(evidenceOf(depositId, { outcome: 'reversed' }))).toMatchObject({
    outcome: 'parked',
  });
  expect(await balanceOf(userId)).toBe(50_000n);
});

test('[SRV-1] what was taken in part is not refunded as a whole', async () => {
  const { depositId } = await paid();
  await taken(depositId, 're_1', 20_000n);
  const refund = { operatorId: 'op', depositId, refundId: randomUUID(), staff: 'sam' };
  expect(await codeOf(bench.payments.refundDeposit(refund))).toBe('state-conflict');
});
