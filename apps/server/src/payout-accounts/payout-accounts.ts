/**
 * Accounts that a user saved for later withdrawals (WD-1). Only this user can list, use and remove them. They are
 * stored encrypted, bound to the user and the method.
 */
import type { PayoutAccount } from '@opencashier/contract/api';
import { type AskedPart, receiptParts } from '@opencashier/core/withdrawal/destination';
import type { DestinationPart } from '@opencashier/core/withdrawal/masked-destination';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import type { DueWork } from '../jobs/due-worker.ts';
import type { DataKeys } from '../sealing/data-keys.ts';

/** The user who owns an account. */
interface Owner {
  readonly operatorId: string;
  readonly userId: string;
}

interface AccountOf extends Owner {
  readonly paymentMethod: string;
}

type Fields = Readonly<Record<string, string>>;

/** The encrypted content: the destination, and its masked form for the user. */
interface Account {
  readonly fields: Fields;
  readonly masked: readonly DestinationPart[];
}

interface StoredAccount {
  readonly accountId: string;
  readonly keyId: string;
  readonly sealed: Buffer;
}

/**
 * An account inside a withdrawal, until the user confirms. It is encrypted already, so that saving needs no key.
 * Base64.
 */
export interface SealedAccount {
  readonly keyId: string;
  readonly sealed: string;
  /** One fingerprint per key, the newest key first. */
  readonly fingerprints: readonly string[];
}

/** The part of a withdrawal that names its account, and whether the user wants to save the account. */
interface WithdrawalToAccount extends AccountOf {
  readonly request: {
    readonly isKept?: boolean;
    readonly isFromKept?: boolean;
    readonly account?: SealedAccount;
  };
}

/** Most saved accounts per user and method. A further account replaces the one that was used least recently. */
export const MAX_ACCOUNTS = 10;

const stored = `id as "accountId", key_id as "keyId", sealed`;

/** The encryption context. An account that is copied to another user or method cannot be decrypted. */
const contextOf = ({ operatorId, userId, paymentMethod }: AccountOf): string =>
  JSON.stringify(['payout_account', operatorId, userId, paymentMethod]);

/** Decrypts an account; undefined when its key is no longer in the settings. The user then enters the account again. */
function opened(keys: DataKeys, of: AccountOf, { keyId, sealed }: StoredAccount): Account | undefined {
  const text = keys.open({ keyId, sealed }, contextOf(of));
  return text === undefined ? undefined : (JSON.parse(text) as Account);
}

/** A user's accounts for a method, masked; the last used first. */
export async function listPayoutAccounts(
  queryable: Queryable,
  keys: DataKeys,
  { operatorId, userId }: Owner,
  paymentMethod: string,
): Promise<PayoutAccount[]> {
  const rows = await queryable.query<StoredAccount>({
    name: 'payout-accounts',
    text: `select ${stored} from payout_account
      where operator_id = $1 and user_id = $2 and payment_method = $3 order by used_at desc, id limit $4`,
    values: [operatorId, userId, paymentMethod, MAX_ACCOUNTS],
  });
  return rows.flatMap((row) => {
    const account = opened(keys, { operatorId, userId, paymentMethod }, row);
    return account === undefined ? [] : [{ accountId: row.accountId, destination: [...account.masked] }];
  });
}

/** The form values of a saved account; undefined when this user has no such account for the method. */
export async function payoutAccountFields(
  queryable: Queryable,
  keys: DataKeys,
  { operatorId, userId }: Owner,
  paymentMethod: string,
  accountId: string,
): Promise<Fields | undefined> {
  const [row] = await queryable.query<StoredAccount>({
    name: 'payout-account-fields',
    text: `select ${stored} from payout_account
      where operator_id = $1 and id = $4 and user_id = $2 and payment_method = $3`,
    values: [operatorId, userId, paymentMethod, accountId],
  });
  return row && opened(keys, { operatorId, userId, paymentMethod }, row)?.fields;
}

/** Deletes an account. An unknown account, or another user's, changes nothing and causes no error. */
export async function removePayoutAccount(
  queryable: Queryable,
  { operatorId, userId }: Owner,
  accountId: string,
): Promise<void> {
  await queryable.query({
    name: 'payout-account-remove',
    text: 'delete from payout_account where operator_id = $1 and id = $3 and user_id = $2',
    values: [operatorId, userId, accountId],
  });
}

/** Encrypts an account for the withdrawal that will save it, or that uses a saved one. */
export function sealAccount(keys: DataKeys, of: AccountOf, fields: Fields, asked: readonly AskedPart[]): SealedAccount {
  return inBase64(sealedOf(keys, of, { fields, masked: receiptParts(asked) }));
}

function sealedOf(keys: DataKeys, of: AccountOf, account: Account) {
  const sorted = Object.entries(account.fields).sort(([left], [right]) => (left < right ? -1 : 1));
  const fingerprints = keys.marks(JSON.stringify(sorted), contextOf(of));
  return { ...keys.seal(JSON.stringify(account), contextOf(of)), fingerprints };
}

function inBase64({ keyId, sealed, fingerprints }: ReturnType<typeof sealedOf>): SealedAccount {
  const text = (bytes: Buffer): string => bytes.toString('base64');
  return { keyId, sealed: text(sealed), fingerprints: fingerprints.map(text) };
}

/** Saves the account of a confirmed withdrawal, if the user asked for this. A saved account is marked as used now. */
export async function savePayoutAccount(transaction: Transaction, row: WithdrawalToAccount): Promise<void> {
  const { account, isKept, isFromKept } = row.request;
  if (account === undefined || (isKept !== true && isFromKept !== true)) return;
  const { operatorId, userId, paymentMethod } = row;
  const fingerprints = account.fingerprints.map((one) => Buffer.from(one, 'base64'));
  const used = await transaction.query({
    name: 'payout-account-used',
    text: `update payout_account set used_at = now()
      where operator_id = $1 and user_id = $2 and payment_method = $3 and fingerprint = any($4::bytea[]) returning 1`,
    values: [operatorId, userId, paymentMethod, fingerprints],
  });
  // The user may have removed the account after creating the withdrawal. The account then stays removed.
  if (used.length > 0 || isKept !== true) return;
  await transaction.query({
    name: 'payout-account-keep',
    text: `insert into payout_account (operator_id, user_id, payment_method, key_id, sealed, fingerprint)
      values ($1, $2, $3, $4, $5, $6)
      on conflict on constraint payout_account_once do update set used_at = now()`,
    values: [operatorId, userId, paymentMethod, account.keyId, Buffer.from(account.sealed, 'base64'), fingerprints[0]],
  });
  await transaction.query({
    name: 'payout-account-room',
    text: `delete from payout_account where operator_id = $1 and id in (
        select id from payout_account where operator_id = $1 and user_id = $2 and payment_method = $3
        order by used_at desc, id offset $4)`,
    values: [operatorId, userId, paymentMethod, MAX_ACCOUNTS],
  });
}

const AT_ONCE = 200;

/** Background work that encrypts accounts again with the newest key. */
export function sealPayoutAccounts(database: Database, keys: DataKeys): DueWork<never> {
  return {
    name: 'payout accounts sealed',
    idleMs: 5000,
    isByTimeAlone: true,
    async claim() {
      await database.transaction((transaction) => sealSome(transaction, keys));
      return [];
    },
    handle: async () => undefined,
  };
}

async function sealSome(transaction: Transaction, keys: DataKeys): Promise<void> {
  const rows = await transaction.query<StoredAccount & AccountOf>({
    name: 'payout-accounts-to-seal',
    text: `select ${stored}, operator_id as "operatorId", user_id as "userId", payment_method as "paymentMethod"
      from payout_account where key_id = any($1::text[]) limit $2 for update skip locked`,
    values: [keys.older, AT_ONCE],
  });
  for (const row of rows) {
    const account = opened(keys, row, row);
    if (account === undefined) continue;
    const { keyId, sealed, fingerprints } = sealedOf(keys, row, account);
    // The user may have saved the same account again under the newest key. The older row is then deleted.
    await transaction.query({
      name: 'payout-account-seal',
      text: `with twin as (
          delete from payout_account where operator_id = $5 and id = $1 and exists (select 1 from payout_account other
            where other.operator_id = $5 and other.id <> $1 and other.user_id = $6 and other.payment_method = $7 and other.fingerprint = $4)
          returning id)
        update payout_account set key_id = $2, sealed = $3, fingerprint = $4
        where operator_id = $5 and id = $1 and not exists (select 1 from twin)`,
      values: [row.accountId, keyId, sealed, fingerprints[0], row.operatorId, row.userId, row.paymentMethod],
    });
  }
}

/** Counts saved accounts whose key is unknown, for the doctor command. */
export async function countLostAccounts(queryable: Queryable, keyIds: readonly string[]): Promise<number> {
  const [count] = await queryable.query<{ lost: number }>({
    text: 'select count(*)::int as lost from payout_account where key_id <> all($1::text[])',
    values: [keyIds],
  });
  if (count === undefined) throw new Error('The count returned no row');
  return count.lost;
}
