/** Fees of deposits: charged by the terms of the create call, booked by a journal of their own, and told to user and operator. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { accountBalance, postJournal, userBalance } from '../ledger/ledger.ts';
import { settleDebtOnce } from '../operator-api/money/debts.ts';
import type { Caller } from '../operators/caller.ts';
import { ann, type Bench, commandOf, reportOf } from './testing/payments.fixture.ts';
import { withPayments } from './testing/with-payments.fixture.ts';

let database: Database;
let bench: Bench;
withPayments(
  (made) => {
    ({ database, bench } = made);
  },
  { hasWebhook: true },
);

/** A deposit of a new user, by a method whose fee is 1.5 %, at least ₹10 and at most ₹100. */
async function deposit(amount: string, paymentType = 'card_with_fee'): Promise<{ depositId: string; caller: Caller }> {
  const depositId = randomUUID();
  const caller = { ...ann, userId: `user-${depositId}` };
  await bench.payments.createDeposit(commandOf({ depositId, amount, paymentType }, caller));
  return { depositId, caller };
}

const balanceOf = ({ userId }: Caller) => userBalance(database, 'op', userId, 'INR');

async function postingsOf(depositId: string): Promise<string[]> {
  const rows = await database.query<{ line: string }>({
    text: `select format('%s %s %s', journal.kind, account.kind, posting.amount) as line
      from journal join posting on posting.journal_id = journal.id join account on account.id = posting.account_id
      where journal.deposit_id = $1 order by journal.kind, posting.amount`,
    values: [depositId],
  });
  return rows.map(({ line }) => line);
}

async function processedOf(depositId: string): Promise<unknown> {
  const rows = await database.query<{ body: string }>({
    text: `select body::text as body from webhook_delivery where type = 'deposit.processed'
      and body::text like '%' || $1 || '%'`,
    values: [depositId],
  });
  return rows.map(({ body }) => JSON.parse(body).data)[0];
}

test('[SRV-2] the user gets what was paid less the fee, and the fee goes to the operator’s account', async () => {
  const { depositId, caller } = await deposit('2000');
  expect((await bench.payments.depositStatus(caller, depositId)).fee).toBeUndefined();
  await bench.payments.apply(reportOf(depositId, { paidMinor: 200_000n }));
  expect(await balanceOf(caller)).toBe(197_000n);
  expect(await postingsOf(depositId)).toEqual([
    'deposit_credit provider_clearing -200000',
    'deposit_credit user 200000',
    'deposit_fee user -3000',
    'deposit_fee deposit_fee 3000',
  ]);
  expect(await bench.payments.depositStatus(caller, depositId)).toMatchObject({ finalAmount: '2000.00', fee: '30.00' });
  expect(await processedOf(depositId)).toMatchObject({ amount: '2000.00', fee: '30.00' });
  // The same report again changes nothing.
  await bench.payments.apply(reportOf(depositId, { paidMinor: 200_000n }));
  expect(await balanceOf(caller)).toBe(197_000n);
});

test.each([
  ['100', 1_000n],
  ['50000', 10_000n],
])('the fee has a minimum and a maximum: %s', async (amount, fee) => {
  const { depositId, caller } = await deposit(amount);
  const paidMinor = BigInt(amount) * 100n;
  await bench.payments.apply(reportOf(depositId, { paidMinor }));
  expect(await balanceOf(caller)).toBe(paidMinor - fee);
});

test('[SRV-2] the fee of the create call counts, and nobody can change it afterwards', async () => {
  const { depositId } = await deposit('2000');
  const [stored] = await database.query<{ fee: unknown }>({
    text: 'select fee from deposit where id = $1',
    values: [depositId],
  });
  expect(stored?.fee).toEqual({ percent: '1.5', min: '10', max: '100' });
  const change = database.query({ text: `update deposit set fee = '{}' where id = $1`, values: [depositId] });
  await expect(change).rejects.toThrow('immutable columns');
});

test('money that staff credit after a review pays the fee, too', async () => {
  const { depositId, caller } = await deposit('2000');
  await bench.payments.apply(reportOf(depositId, { paidMinor: 100_000n }));
  expect(await balanceOf(caller)).toBe(0n);
  await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam');
  expect(await balanceOf(caller)).toBe(98_500n);
});

test('[SRV-2] a refund returns the fee, and a refund that the provider declines takes it again', async () => {
  const { depositId, caller } = await deposit('2000');
  await bench.payments.apply(reportOf(depositId, { paidMinor: 200_000n }));
  const refund = () =>
    bench.payments.refundDeposit({ operatorId: 'op', depositId, refundId: randomUUID(), staff: 'sam' });
  bench.provider.onRefund = async () => ({ kind: 'declined', code: 'no' });
  await refund();
  expect(await balanceOf(caller)).toBe(197_000n);
  bench.provider.onRefund = async () => ({ kind: 'accepted', isDone: true });
  await refund();
  expect(await balanceOf(caller)).toBe(0n);
  const [fees] = await database.query<{ sum: bigint }>({
    text: `select sum(posting.amount)::bigint as sum from journal join posting on posting.journal_id = journal.id
      join account on account.id = posting.account_id where journal.deposit_id = $1 and account.kind = 'deposit_fee'`,
    values: [depositId],
  });
  expect(fees?.sum).toBe(0n);
  const [told] = await database.query<{ body: string }>({
    text: `select body::text as body from webhook_delivery where type = 'deposit.refunded' and body::text like '%' || $1 || '%'`,
    values: [depositId],
  });
  expect(JSON.parse(told?.body ?? '{}').data).toMatchObject({ amount: '2000.00', fee: '30.00' });
});

const accountOf = ({ userId }: Caller, kind: 'user' | 'reversal_debt') =>
  accountBalance(database, 'op', { owner: userId, asset: 'INR', kind });
const feesOf = () => accountBalance(database, 'op', { owner: '', asset: 'INR', kind: 'deposit_fee' });

test('[SRV-2] a chargeback claims the whole payment: the fee is not returned, and a won dispute restores both', async () => {
  const { depositId, caller } = await deposit('500');
  await bench.payments.apply(reportOf(depositId));
  const fees = await feesOf();
  expect(await accountOf(caller, 'user')).toBe(49_000n);
  const taken = reportOf(depositId, { outcome: 'reversed' });
  await bench.payments.apply(taken);
  await bench.payments.apply(taken);
  expect((await postingsOf(depositId)).filter((line) => line.startsWith('deposit_reversal'))).toEqual([
    'deposit_reversal user -49000',
    'deposit_reversal reversal_debt -1000',
    'deposit_reversal provider_clearing 50000',
  ]);
  expect([await accountOf(caller, 'user'), await accountOf(caller, 'reversal_debt')]).toEqual([0n, -1_000n]);
  expect(await feesOf()).toBe(fees);

  await bench.payments.apply(reportOf(depositId, { outcome: 'returned', providerRef: `back-${depositId}` }));
  await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam');
  expect([await accountOf(caller, 'user'), await accountOf(caller, 'reversal_debt')]).toEqual([49_000n, 0n]);
  expect(await feesOf()).toBe(fees);
});

test('[SRV-2] chargebacks of parts claim what the bank claimed, and the last part leaves the fee as the debt', async () => {
  const { depositId, caller } = await deposit('500');
  await bench.payments.apply(reportOf(depositId));
  for (const [part, left, debt] of [
    ['a', 29_000n, 0n],
    ['b', 9_000n, 0n],
    ['c', 0n, -1_000n],
  ] as const) {
    const paidMinor = part === 'c' ? 10_000n : 20_000n;
    await bench.payments.apply(
      reportOf(depositId, { outcome: 'reversed', part, paidMinor, eventId: `${depositId}:${part}` }),
    );
    expect([await accountOf(caller, 'user'), await accountOf(caller, 'reversal_debt')]).toEqual([left, debt]);
  }
});

test('[SRV-2] an operator bears the fee of a chargeback by settling the debt', async () => {
  const { depositId, caller } = await deposit('500');
  await bench.payments.apply(reportOf(depositId));
  await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
  const { userId } = caller;
  const decision = { decisionId: randomUUID(), decidedBy: 'eve', reason: 'we bear the fee' };
  const settled = await settleDebtOnce(database, 'op', { userId, currency: 'INR', from: 'operator', ...decision });
  expect(settled).toMatchObject({ amount: '10.00', debt: '0.00' });
});

test('[SRV-2] the database refuses the fee of a deposit that has none, and a second fee', async () => {
  const plain = await deposit('2000', 'card');
  const charged = await deposit('2000');
  for (const { depositId } of [plain, charged]) {
    await bench.payments.apply(reportOf(depositId, { paidMinor: 200_000n }));
  }
  const charge = async ({ depositId, caller }: typeof plain, amount: bigint): Promise<unknown> => {
    const [payment] = await database.query<{ id: string }>({
      text: 'select id from payment where deposit_id = $1',
      values: [depositId],
    });
    return database.transaction((transaction) =>
      postJournal(transaction, {
        operatorId: 'op',
        kind: 'deposit_fee',
        depositId,
        paymentId: payment?.id ?? '',
        source: 'fake',
        ref: `again-${depositId}`,
        lines: [
          { owner: caller.userId, asset: 'INR', kind: 'user', amount: -amount },
          { owner: '', asset: 'INR', kind: 'deposit_fee', amount },
        ],
      }),
    );
  };
  await expect(charge(plain, 100n)).rejects.toThrow('deposit_fee_agrees');
  await expect(charge(charged, 100n)).rejects.toThrow('one_fee');
});
