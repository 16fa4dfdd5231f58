/** Accounts that a user keeps for the next withdrawal (WD-1): seen, used and removed by that user alone. */
import { createHash } from 'node:crypto';
import type { PayoutAccount } from '@opencashier/contract/api';
import { type AskedPart, receiptParts } from '@opencashier/core/withdrawal/destination';
import type { DestinationPart } from '@opencashier/core/withdrawal/masked-destination';
import type { Queryable, Transaction } from '../../database/database.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';

/** Whose account it is. */
interface Owner {
  readonly operatorId: string;
  readonly userId: string;
}

/** Of one user and method; the one that was not used for longest makes room. */
export const MOST_ACCOUNTS = 10;

/** The accounts of a user for a method, the one used last first; masked. */
export async function listPayoutAccounts(
  queryable: Queryable,
  { operatorId, userId }: Owner,
  paymentMethod: string,
): Promise<PayoutAccount[]> {
  const rows = await queryable.query<{ accountId: string; masked: readonly DestinationPart[] }>({
    name: 'payout-accounts',
    text: `select id as "accountId", masked from payout_account
      where operator_id = $1 and user_id = $2 and payment_method = $3 order by used_at desc, id limit $4`,
    values: [operatorId, userId, paymentMethod, MOST_ACCOUNTS],
  });
  return rows.map(({ accountId, masked }) => ({ accountId, destination: [...masked] }));
}

/** What a withdrawal to a kept account is made of; undefined where this user has no such account for the method. */
export async function payoutAccountFields(
  queryable: Queryable,
  { operatorId, userId }: Owner,
  paymentMethod: string,
  accountId: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const [row] = await queryable.query<{ fields: Readonly<Record<string, string>> }>({
    name: 'payout-account-fields',
    text: `select fields from payout_account
      where id = $4 and operator_id = $1 and user_id = $2 and payment_method = $3`,
    values: [operatorId, userId, paymentMethod, accountId],
  });
  return row?.fields;
}

/** Removes it for good. An account that is gone, or is somebody else's, stays as it is without a word. */
export async function removePayoutAccount(
  queryable: Queryable,
  { operatorId, userId }: Owner,
  accountId: string,
): Promise<void> {
  await queryable.query({
    name: 'payout-account-remove',
    text: 'delete from payout_account where id = $3 and operator_id = $1 and user_id = $2',
    values: [operatorId, userId, accountId],
  });
}

/** Keeps where a confirmed withdrawal goes, where its user asked for that; what is still kept is used again now. */
export async function keepPayoutAccount(transaction: Transaction, row: WithdrawalRow): Promise<void> {
  const { fields, asked, isKept, isFromKept } = row.request;
  if (isFromKept === true && isKept !== true) return notePayoutAccountUse(transaction, row);
  if (isKept !== true || asked === undefined) return;
  const { operatorId, userId, paymentMethod } = row;
  await transaction.query({
    name: 'payout-account-keep',
    text: `insert into payout_account (operator_id, user_id, payment_method, fields, masked, fingerprint)
      values ($1, $2, $3, $4, $5, $6)
      on conflict on constraint payout_account_once do update set used_at = now()`,
    values: [operatorId, userId, paymentMethod, JSON.stringify(fields), masked(asked), fingerprintOf(fields)],
  });
  await transaction.query({
    name: 'payout-account-room',
    text: `delete from payout_account where id in (
        select id from payout_account where operator_id = $1 and user_id = $2 and payment_method = $3
        order by used_at desc, id offset $4)`,
    values: [operatorId, userId, paymentMethod, MOST_ACCOUNTS],
  });
}

/** Its user may have removed the account since the withdrawal began: then it stays away. */
async function notePayoutAccountUse(transaction: Transaction, row: WithdrawalRow): Promise<void> {
  await transaction.query({
    name: 'payout-account-used',
    text: `update payout_account set used_at = now()
      where operator_id = $1 and user_id = $2 and payment_method = $3 and fingerprint = $4`,
    values: [row.operatorId, row.userId, row.paymentMethod, fingerprintOf(row.request.fields)],
  });
}

const masked = (asked: readonly AskedPart[]): string => JSON.stringify(receiptParts(asked));

function fingerprintOf(fields: Readonly<Record<string, string>>): Buffer {
  const sorted = Object.entries(fields).sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest();
}
