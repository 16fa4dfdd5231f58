/**
 * Signatures that people bring as files (docs/payouts.md). What they bring is compared as the answer of a signer is: the same transaction to
 * the last byte, signed by the wallet's key. Who takes a transaction is recorded, and somebody who never took it gives it back.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isWorthSigning } from '@opencashier/core/chain-payout/expiring-payout';
import { toDecimalString } from '@opencashier/core/money/money';
import { judgeSecondPerson, type SecondPersonVerdict, type Take } from '@opencashier/core/payout/second-person';
import { sameDecider } from '@opencashier/core/withdrawal/withdrawal-approval';
import type { Database, Transaction } from '../../../database/database.ts';
import { constraintOf } from '../../../database/pool-database.ts';
import { DomainError } from '../../../errors/domain-error.ts';
import type { CoinSignatures, SignedCoinPayout, SigningActor, UnsignedCoinPayout } from '../../coin-signatures.ts';
import type { SignatureFault, Verdict } from './payout-rail.ts';
import type { PayingWallet } from './payout-round.ts';
import { storeSignature } from './payout-rows.ts';

/** Transactions that one question answers, or that one answer is compared with. */
const MOST = 100;

export type FileWallet = Pick<PayingWallet, 'chain' | 'rails' | 'decimals'>;

interface Candidate {
  readonly operatorId: string;
  readonly withdrawalId: string;
  readonly version: number;
  readonly chain: string;
  readonly wallet: string;
  readonly coin: string;
  readonly contract: string;
  readonly address: string;
  readonly raw: string;
  readonly mostFee: string;
  readonly unsigned: string;
  readonly state: 'prepared' | 'signed' | 'broadcast' | 'seen';
  readonly isSigned: boolean;
  /** It has certainly expired. */
  readonly isOver: boolean;
  /** Null: it does not expire. */
  readonly expiresInS: number | null;
  /** In the order of time. Null: nobody. */
  readonly takes: readonly Take[] | null;
}

/**
 * The transactions of payouts that have begun and not ended. Only the newest of a payout may wait for its signature. An older one, which a
 * signer refused, has a slot that is another payout's now. One whose time ended is in vain. One that has expired is named as such.
 * The first take has columns of its own. They are all that an older version of the cashier wrote.
 */
const CANDIDATES = `select p.operator_id as "operatorId", p.withdrawal_id as "withdrawalId", t.version, p.chain, p.wallet, p.coin, p.contract,
    p.address, p.raw::text as raw, t.most_fee::text as "mostFee", t.unsigned, p.state, t.hash is not null as "isSigned",
    t.expired_at is not null as "isOver", extract(epoch from t.expires_at - now())::float8 as "expiresInS",
    (select json_agg(json_build_object('by', take.by, 'keyId', take.key_id) order by take.at) from (
      select by, key_id, at from coin_transaction_take take
        where take.operator_id = t.operator_id and take.withdrawal_id = t.withdrawal_id and take.version = t.version
      union select t.taken_by, t.taken_key, t.taken_at where t.taken_by is not null) take) as takes
  from coin_payout p join coin_transaction t on t.operator_id = p.operator_id and t.withdrawal_id = p.withdrawal_id
  where p.operator_id = $1 and p.chain = any($2) and p.reported_at is null and p.state in ('prepared', 'signed', 'broadcast', 'seen')
    and (t.hash is not null or t.expired_at is not null or not exists (select 1 from coin_transaction newer
      where newer.operator_id = t.operator_id and newer.withdrawal_id = t.withdrawal_id and newer.version > t.version))`;

/** @param wallets those that are signed by file, by chain */
export function createSignaturesByFile(database: Database, wallets: ReadonlyMap<string, FileWallet>): CoinSignatures {
  const isOurs = ({ chain, wallet }: Candidate): boolean => wallets.get(chain)?.rails[0].wallet === wallet;
  return {
    async take({ operatorId, by, keyId }, chain) {
      const chains = [...wallets.keys()].filter((key) => chain === undefined || key === chain);
      const waiting = await database.query<Candidate>({
        text: `${CANDIDATES} and t.hash is null and t.expired_at is null order by p.created_at, p.withdrawal_id, t.version limit $3`,
        values: [operatorId, chains, MOST],
      });
      const found = waiting.filter((one) => isOurs(one) && isWorthSigning(one.expiresInS));
      await database.query({
        text: `with taken as (select * from unnest($2::uuid[], $3::int[]) as taken(withdrawal_id, version)), first as (
            update coin_transaction t set taken_by = $4, taken_key = $5, taken_at = now() from taken
            where t.operator_id = $1 and t.withdrawal_id = taken.withdrawal_id and t.version = taken.version and t.taken_by is null)
          insert into coin_transaction_take (operator_id, withdrawal_id, version, by, key_id)
          select $1, withdrawal_id, version, $4, $5 from taken on conflict do nothing`,
        values: [
          operatorId,
          found.map(({ withdrawalId }) => withdrawalId),
          found.map(({ version }) => version),
          by,
          keyId ?? null,
        ],
      });
      return found.flatMap((one) => {
        const wallet = wallets.get(one.chain);
        return wallet === undefined ? [] : [shown(one, wallet, by)];
      });
    },

    async give(actor, transactions, needsOtherKey) {
      const known = await database.query<Candidate>({
        text: `${CANDIDATES} order by t.hash is not null, t.expired_at is not null, p.created_at desc, p.withdrawal_id, t.version desc limit $3`,
        values: [actor.operatorId, [...wallets.keys()], MOST * 2],
      });
      const ours = known.filter(isOurs);
      const found: Found[] = [];
      // Before the database is asked to store anything, so that no connection waits for the comparisons.
      for (const [at, text] of transactions.entries()) {
        const { one, verdict } = await matching(ours, wallets, text.trim(), at + 1);
        const isNew = !one.isSigned && !found.some((other) => other.one === one);
        if (isNew && one.isOver) throw conflict(at + 1, 'has expired. The payout gets another one');
        if (isNew) requireOther(one, actor, { needsOtherKey, place: at + 1 });
        found.push({ one, verdict, isNew });
      }
      return database.transaction(async (transaction) => {
        const given: SignedCoinPayout[] = [];
        for (const [at, { one, verdict, isNew }] of found.entries()) {
          const { withdrawalId, version } = one;
          const isStored = isNew && (await storeGiven(transaction, one, verdict, { actor, place: at + 1 }));
          given.push({ withdrawalId, version, isNew: isStored });
        }
        return given;
      });
    },
  };
}

/** @returns false where another upload of the same signature was first. @throws DomainError state-conflict */
async function storeGiven(
  transaction: Transaction,
  one: Candidate,
  verdict: Good,
  { actor, place }: { readonly actor: SigningActor; readonly place: number },
): Promise<boolean> {
  const isStored = await storeSignature(transaction, one, one.version, verdict, actor).catch((error: unknown) => {
    // The giver took it while it was compared.
    if (constraintOf(error) === 'coin_transaction_by_two') throw conflict(place, REFUSALS['same-person']);
    throw error;
  });
  if (!isStored && !(await isStoredAs(transaction, one, verdict)))
    throw conflict(place, 'was signed or has ended meanwhile');
  return isStored;
}

/** Whether this signature is stored. The lock of its payout, which `storeSignature` has, keeps it so until the transaction ends. */
async function isStoredAs(
  transaction: Transaction,
  { operatorId, withdrawalId, version }: Candidate,
  { hash }: Good,
): Promise<boolean> {
  const stored = await transaction.query({
    name: 'coin-transaction-signed-as',
    text: `select 1 from coin_transaction
      where operator_id = $1 and withdrawal_id = $2 and version = $3 and hash = $4`,
    values: [operatorId, withdrawalId, version, hash],
  });
  return stored.length > 0;
}

/** @param by who takes it now */
function shown(one: Candidate, { rails: [rail], decimals }: FileWallet, by: string): UnsignedCoinPayout {
  const { withdrawalId, version, chain, wallet, coin, contract, address, raw, mostFee, unsigned } = one;
  return {
    withdrawalId,
    version,
    chain,
    wallet,
    coin,
    ...(contract !== '' && { contract }),
    ...(rail.payee?.(address) ?? { address }),
    amount: toDecimalString(BigInt(raw), decimals.get(contract) ?? 0),
    mostFeeUnits: mostFee,
    format: rail.format,
    unsigned,
    takenBy: [...(one.takes ?? []).map((take) => take.by), by].filter(
      (name, at, all) => all.findIndex((other) => sameDecider(other, name)) === at,
    ),
  };
}

type Good = Extract<Verdict, { readonly kind: 'good' }>;

interface Found {
  readonly one: Candidate;
  readonly verdict: Good;
  readonly isNew: boolean;
}

const FAULTS: Readonly<Record<SignatureFault, string>> = {
  unreadable: 'cannot be read, or has no signature',
  recipient: 'pays another recipient',
  amount: 'pays another amount',
  fee: 'has another fee',
  slot: 'is none of the transactions that wait',
  sender: 'is not signed by the key of the wallet',
  other: 'differs from the transaction that waits',
};
/** The fault that says most: it is about a transaction that waits, and not about one of another payout. */
const TELLING: readonly SignatureFault[] = ['sender', 'fee', 'amount', 'recipient', 'other', 'slot', 'unreadable'];

/**
 * The transaction that a text is the signature of. Names of files may change on the way, so the text itself says it. Each comparison reads the
 * text again, so other requests have their turn between two of them.
 */
async function matching(
  known: readonly Candidate[],
  wallets: ReadonlyMap<string, FileWallet>,
  text: string,
  place: number,
): Promise<{ readonly one: Candidate; readonly verdict: Good }> {
  const faults = new Set<SignatureFault>();
  for (const one of known) {
    await nextTurn();
    const verdict = wallets.get(one.chain)?.rails[0].verify(one.unsigned, text);
    if (verdict?.kind === 'good') return { one, verdict };
    if (verdict !== undefined) faults.add(verdict.why);
  }
  throw conflict(place, FAULTS[TELLING.find((fault) => faults.has(fault)) ?? 'slot']);
}

function requireOther(
  { takes }: Candidate,
  { by, keyId }: SigningActor,
  { needsOtherKey, place }: { readonly needsOtherKey: boolean; readonly place: number },
): void {
  const verdict = judgeSecondPerson(takes ?? [], { by, keyId: keyId ?? null }, needsOtherKey);
  if (verdict !== 'good') throw conflict(place, REFUSALS[verdict]);
}

const REFUSALS: Readonly<Record<Exclude<SecondPersonVerdict, 'good'>, string>> = {
  'not-taken': 'was never taken. Take the unsigned transactions first',
  'same-person': 'was taken by the same person. A person who never took it must give it',
  'same-key': 'was taken with the same API key. Give it with a key that never took it',
};

function conflict(place: number, what: string): DomainError {
  return new DomainError('state-conflict', `Transaction ${place} ${what}. Nothing was stored.`, {
    params: { transaction: String(place) },
  });
}
