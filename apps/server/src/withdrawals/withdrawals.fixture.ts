/** Fixtures of withdrawal tests: users with a balance, commands, and reports. */
import { randomUUID } from 'node:crypto';
import type { AccountType } from '@opencashier/contract/api';
import type { Database } from '../database/database.ts';
import { accountBalance, postJournal } from '../ledger/ledger.ts';
import { userAccountKinds } from '../ledger/user-accounts.ts';
import type { Caller } from '../operators/caller.ts';
import { ann, refOf } from '../payments/testing/payments.fixture.ts';
import type { WithdrawalReport } from '../providers/withdrawal-provider.ts';
import type { CreateWithdrawal } from './withdrawals.ts';

export const CARD = { cardNumber: '4111111111111111' };

/** Makes a new user with a balance; by default 1000.00 INR at the operator of the tests. */
export async function richUser(
  database: Database,
  minor = 100_000n,
  account: AccountType = 'main',
  operatorId = ann.operatorId,
): Promise<Caller> {
  return userWith(database, { minor, operatorId, kind: userAccountKinds[account] });
}

/** Makes a new user with money that came from a provider. By default in INR, on the main account, and at the operator of the tests. */
export async function userWith(
  database: Database,
  {
    minor,
    currency = ann.currency,
    provider = 'fake',
    operatorId = ann.operatorId,
    kind = userAccountKinds.main,
  }: {
    readonly minor: bigint;
    readonly currency?: string;
    readonly provider?: string;
    readonly operatorId?: string;
    readonly kind?: (typeof userAccountKinds)[AccountType];
  },
): Promise<Caller> {
  const caller = { ...ann, operatorId, currency, userId: `rich-${randomUUID()}` };
  await database.transaction((transaction) =>
    postJournal(transaction, {
      operatorId,
      kind: 'test_credit',
      source: 'test',
      ref: caller.userId,
      lines: [
        { owner: provider, asset: currency, kind: 'provider_clearing', amount: -minor },
        { owner: caller.userId, asset: currency, kind, amount: minor },
      ],
    }),
  );
  return caller;
}

export function intent(caller: Caller, more: Partial<CreateWithdrawal['request']> = {}): CreateWithdrawal {
  return {
    caller,
    request: {
      withdrawalId: randomUUID(),
      amount: '1000.00',
      currency: 'INR',
      paymentMethod: 'payout_card',
      fields: CARD,
      accountType: 'main',
      ...more,
    },
  };
}

/** The ledger balances of a user in INR, in minor units. */
export async function books(
  database: Database,
  { operatorId, userId }: Caller,
): Promise<{ free: bigint; additional: bigint; held: bigint }> {
  const of = (kind: 'user' | 'user_additional' | 'user_hold') =>
    accountBalance(database, operatorId, { owner: userId, asset: 'INR', kind });
  return { free: await of('user'), additional: await of('user_additional'), held: await of('user_hold') };
}

let facts = 0;

/** A report about a withdrawal of 1000.00 INR; by default that its payout was paid. A decline names no amount. */
export function reportOn(withdrawalId: string, more: Partial<WithdrawalReport> = {}): WithdrawalReport {
  facts += 1;
  return {
    provider: 'fake',
    providerRef: refOf(withdrawalId),
    withdrawalId,
    outcome: 'paid',
    ...(more.outcome !== 'declined' && { paidMinor: 97_400n, currency: 'INR' }),
    eventId: `withdrawal-event-${facts}`,
    at: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}
