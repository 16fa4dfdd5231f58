/** A ledger over several months, and what a test asks of it before and after an archive. */
import { randomUUID } from 'node:crypto';
import type { Database, Queryable } from '../database/database.ts';
import { type AccountKind, accountBalance } from '../ledger/ledger.ts';
import { auditLedger, auditSincePoints } from '../ledger/ledger-audit.ts';
import { makeOldPartitions } from '../ledger/older-ledger.fixture.ts';
import { transferFunds } from '../operator-api/users/transfer-funds.ts';
import type { Caller } from '../operators/caller.ts';
import {
  ann,
  type Bench,
  commandOf,
  createBench,
  reportOf,
  seedOperator,
} from '../payments/testing/payments.fixture.ts';
import { intent, reportOn } from '../withdrawals/withdrawals.fixture.ts';

export interface Business {
  readonly bench: Bench;
  readonly callerOf: (userId: string) => Caller;
  /** A deposit of 500.00 INR that is paid, by default in full. Returns its id. */
  readonly deposit: (userId: string, paidMinor?: bigint) => Promise<string>;
  /** A second payment for a deposit, which waits for staff. */
  readonly payTwice: (depositId: string) => Promise<void>;
  readonly resolve: (depositId: string, decision: 'credit' | 'refund') => Promise<unknown>;
  readonly chargeBack: (depositId: string) => Promise<unknown>;
  /** The provider returns the money of a dispute. */
  readonly winDispute: (depositId: string) => Promise<unknown>;
  readonly refund: (depositId: string) => Promise<unknown>;
  /** Moves 100.00 INR from the user to the operator, or back. */
  readonly transfer: (userId: string, from: 'main' | 'operator', transferId?: string) => Promise<unknown>;
  /** A confirmed withdrawal of 200.00 INR. Returns its id. */
  readonly withdraw: (userId: string) => Promise<string>;
  readonly payOut: (withdrawalId: string) => Promise<unknown>;
  readonly decline: (withdrawalId: string) => Promise<unknown>;
  readonly returnPayout: (withdrawalId: string) => Promise<unknown>;
}

export function businessOn(database: Database): Business {
  const bench = createBench(database);
  bench.provider.onRefund = async () => ({ kind: 'accepted', isDone: true });
  const callerOf = (userId: string): Caller => ({ ...ann, userId });
  const report = (withdrawalId: string, more: Parameters<typeof reportOn>[1] = {}) =>
    bench.payments.withdrawals.apply(reportOn(withdrawalId, { paidMinor: 19_400n, ...more }));
  return {
    bench,
    callerOf,
    async deposit(userId, paidMinor = 50_000n) {
      const command = commandOf({}, callerOf(userId));
      await bench.payments.createDeposit(command);
      await bench.payments.apply(reportOf(command.request.depositId, { paidMinor }));
      return command.request.depositId;
    },
    async payTwice(depositId) {
      await bench.payments.apply(reportOf(depositId, { providerRef: `${depositId}:more` }));
    },
    resolve: (id, decision) => bench.payments.resolveReview({ operatorId: 'op', id }, decision, 'sam'),
    chargeBack: (depositId) => bench.payments.apply(reportOf(depositId, { outcome: 'reversed' })),
    winDispute: (depositId) =>
      bench.payments.apply(reportOf(depositId, { outcome: 'returned', providerRef: `${depositId}:back` })),
    refund: (depositId) =>
      bench.payments.refundDeposit({ operatorId: 'op', depositId, refundId: randomUUID(), staff: 'sam' }),
    transfer: (userId, from, transferId = randomUUID()) =>
      transferFunds(database, 'op', userId, {
        transferId,
        amount: '100.00',
        currency: 'INR',
        from,
        to: from === 'main' ? 'operator' : 'main',
      }),
    async withdraw(userId) {
      const { request } = intent(callerOf(userId), { amount: '200.00' });
      await bench.payments.withdrawals.create({ caller: callerOf(userId), request });
      await bench.payments.withdrawals.confirm(callerOf(userId), request.withdrawalId);
      return request.withdrawalId;
    },
    payOut: (id) => report(id),
    decline: (id) => bench.payments.withdrawals.apply(reportOn(id, { outcome: 'declined' })),
    returnPayout: (id) => report(id, { outcome: 'returned' }),
  };
}

/** The balance of every account by its name, as the server reads it. */
/** The business of a new operator on a database with partitions of the last three years. */
export async function businessOfThreeYears(database: Database): Promise<Business> {
  await seedOperator(database, { url: 'https://operator.example/hook', secrets: [] });
  await makeOldPartitions(database, 36, 1);
  await database.query({
    text: `select extend_partitions(name, now() - interval '36 months', now(), 'month') from time_partitioned where name like 'webhook%'`,
  });
  return businessOn(database);
}

export async function balancesOf(database: Database): Promise<Readonly<Record<string, bigint>>> {
  const accounts = await database.query<{ owner: string; asset: string; kind: AccountKind }>({
    text: `select owner, asset, kind from account where operator_id = 'op' order by owner, asset, kind`,
  });
  const balances: Record<string, bigint> = {};
  for (const name of accounts) {
    balances[`${name.owner} ${name.asset} ${name.kind}`] = await accountBalance(database, 'op', name);
  }
  return balances;
}

/** What both audits find. */
export async function findingsOf(database: Queryable) {
  const found = [];
  for (const audit of [await auditLedger(database), await auditSincePoints(database)]) {
    const { isSound, ...findings } = audit;
    found.push(isSound ? 'sound' : findings);
  }
  return found;
}
