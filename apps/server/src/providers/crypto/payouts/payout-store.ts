/** Coin payouts, their slots and their transactions, in SQL. Every change names the state that it starts from. */
import type { ChainPayoutState } from '@opencashier/core/chain-payout/chain-payout';
import type { Database } from '../../../database/database.ts';
import type { PreparedTransaction } from './payout-rail.ts';
import {
  type CoinPayout,
  type CoinTransaction,
  forgetSpentSlots,
  insertVersion,
  isSlotTaken,
  type MoveFacts,
  moved,
  type PayoutKey,
  type Signature,
  storeSignature,
  wasAnothers,
} from './payout-rows.ts';
import type { Place } from './wallet-store.ts';

/** A payout that was asked for, before it has a slot. */
export type NewPayout = Omit<CoinPayout, 'state' | 'reason' | 'hash' | 'isReported'>;

const columns = `operator_id as "operatorId", withdrawal_id as "withdrawalId", chain, wallet, coin, contract, address, minor,
  raw::text as raw, state, reason, hash, reported_at is not null as "isReported"`;
type PayoutRow = Omit<CoinPayout, 'raw'> & { readonly raw: string };
const readPayout = (row: PayoutRow): CoinPayout => ({ ...row, raw: BigInt(row.raw) });

/** The states in which a payout may still take money out of the wallet. */
export const UNDER_WAY: readonly ChainPayoutState[] = [
  'prepared',
  'signed',
  'broadcast',
  'seen',
  'refused',
  'displaced',
];
/** The states that end a payout. */
const ENDED: readonly ChainPayoutState[] = ['confirmed', 'failed', 'declined'];

export class PayoutStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores a payout once. @returns the stored one, which may differ from the asked one */
  async create(one: NewPayout): Promise<CoinPayout> {
    await this.#database.query({
      name: 'coin-payout-insert',
      text: `insert into coin_payout (operator_id, withdrawal_id, chain, wallet, coin, contract, address, minor, raw)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (operator_id, withdrawal_id) do nothing`,
      values: [
        one.operatorId,
        one.withdrawalId,
        one.chain,
        one.wallet,
        one.coin,
        one.contract,
        one.address,
        one.minor,
        String(one.raw),
      ],
    });
    const found = await this.find(one.withdrawalId);
    if (found === undefined) throw new Error(`Coin payout ${one.withdrawalId} is not there`);
    return found;
  }

  async find(withdrawalId: string): Promise<CoinPayout | undefined> {
    const [row] = await this.#database.query<PayoutRow>({
      name: 'coin-payout-find',
      text: `select ${columns} from coin_payout where withdrawal_id = $1
        and operator_id = (select operator_id from withdrawal where id = $1)`,
      values: [withdrawalId],
    });
    return row && readPayout(row);
  }

  /** The operator of a withdrawal. @throws Error for one that is not there */
  async operatorOf(withdrawalId: string): Promise<string> {
    const [row] = await this.#database.query<{ operatorId: string }>({
      name: 'coin-payout-operator',
      text: 'select operator_id as "operatorId" from withdrawal where id = $1',
      values: [withdrawalId],
    });
    if (row === undefined) throw new Error(`There is no withdrawal ${withdrawalId}`);
    return row.operatorId;
  }

  /** Payouts of a wallet in some states whose end is not reported, the oldest first. */
  async inStates(place: Place, states: readonly ChainPayoutState[], most: number): Promise<CoinPayout[]> {
    const rows = await this.#database.query<PayoutRow>({
      name: 'coin-payouts-open',
      text: `select ${columns} from coin_payout where chain = $1 and wallet = $2 and reported_at is null and state = any($3)
        order by created_at, withdrawal_id limit $4`,
      values: [place.chain, place.wallet, [...states], most],
    });
    return rows.map(readPayout);
  }

  unreported(place: Place, most: number): Promise<CoinPayout[]> {
    return this.inStates(place, ENDED, most);
  }

  /**
   * The payouts that wait, one of each operator after the other, so that nobody's many payouts delay another operator.
   * @param passedOver so many at the front are left out
   */
  async queued(place: Place, passedOver: number, most: number): Promise<CoinPayout[]> {
    const rows = await this.#database.query<PayoutRow>({
      name: 'coin-payouts-queued',
      text: `select ${columns} from (select *, row_number() over (partition by operator_id order by created_at, withdrawal_id) as turn
          from coin_payout where chain = $1 and wallet = $2 and reported_at is null and state = 'queued') waiting
        order by turn, created_at, withdrawal_id offset $3 limit $4`,
      values: [place.chain, place.wallet, passedOver, most],
    });
    return rows.map(readPayout);
  }

  /**
   * What payouts in progress may still take: of each contract, and as fees of the chain's coin. A payout whose slots are all released
   * can only be mined instead of the one that got them, so it takes nothing besides.
   */
  async reserved(
    place: Place,
  ): Promise<{ readonly count: number; readonly fees: bigint; of(contract: string): bigint }> {
    const rows = await this.#database.query<{ contract: string; raw: string; fees: string; payouts: bigint }>({
      name: 'coin-payouts-reserved',
      text: `select contract, sum(raw)::text as raw, count(*) as payouts, coalesce(sum((select max(most_fee) from coin_transaction t
            where t.operator_id = p.operator_id and t.withdrawal_id = p.withdrawal_id)), 0)::text as fees
          from coin_payout p where chain = $1 and wallet = $2 and reported_at is null and state = any($3)
            and (state <> 'refused' or exists (select 1 from coin_slot s where s.operator_id = p.operator_id
              and s.withdrawal_id = p.withdrawal_id and not s.is_released)) group by contract`,
      values: [place.chain, place.wallet, [...UNDER_WAY]],
    });
    const by = new Map(rows.map(({ contract, raw }) => [contract, BigInt(raw)]));
    return {
      count: rows.reduce((sum, { payouts }) => sum + Number(payouts), 0),
      fees: rows.reduce((sum, { fees }) => sum + BigInt(fees), 0n),
      of: (contract) => by.get(contract) ?? 0n,
    };
  }

  /** What left a wallet for an operator in the last hour and the last 24 hours, in minor units. */
  async spent(
    place: Place,
    operatorId: string,
    coin: string,
  ): Promise<{ readonly hour: bigint; readonly day: bigint }> {
    const [row] = await this.#database.query<{ hour: bigint; day: bigint }>({
      name: 'coin-payouts-spent',
      text: `select coalesce(sum(minor) filter (where prepared_at > now() - interval '1 hour'), 0)::bigint as hour,
          coalesce(sum(minor), 0)::bigint as day from coin_payout
        where operator_id = $1 and coin = $2 and chain = $3 and wallet = $4 and prepared_at > now() - interval '1 day'
          and state not in ('failed', 'declined', 'queued')`,
      values: [operatorId, coin, place.chain, place.wallet],
    });
    return { hour: row?.hour ?? 0n, day: row?.day ?? 0n };
  }

  /**
   * The slots of payouts that have not ended. No new transaction of the wallet may use them. The nodes show those of an ended payout as
   * spent, and the unique index refuses them too.
   */
  async takenSlots(place: Place): Promise<string[]> {
    const rows = await this.#database.query<{ slot: string }>({
      name: 'coin-slots-taken',
      text: `select s.slot from coin_payout p
          join coin_slot s on s.operator_id = p.operator_id and s.withdrawal_id = p.withdrawal_id
        where p.chain = $1 and p.wallet = $2 and p.reported_at is null and not s.is_released`,
      values: [place.chain, place.wallet],
    });
    return rows.map(({ slot }) => slot);
  }

  async slotsOf({ operatorId, withdrawalId }: PayoutKey): Promise<string[]> {
    const rows = await this.#database.query<{ slot: string }>({
      name: 'coin-slots-of',
      text: `select slot from coin_slot where operator_id = $1 and withdrawal_id = $2 and not is_released order by slot`,
      values: [operatorId, withdrawalId],
    });
    return rows.map(({ slot }) => slot);
  }

  async transactionsOf({ operatorId, withdrawalId }: PayoutKey): Promise<CoinTransaction[]> {
    const rows = await this.#database.query<
      Omit<CoinTransaction, 'feeRate' | 'mostFee'> & { readonly feeRate: string; readonly mostFee: string }
    >({
      name: 'coin-transactions-of',
      text: `select version, unsigned, fee_rate::text as "feeRate", most_fee::text as "mostFee", hash, signed,
          coalesce(extract(epoch from now() - sent_at), 0)::float8 as "sentForS",
          extract(epoch from expires_at - now())::float8 as "expiresInS", expired_at is not null as "isOver"
        from coin_transaction where operator_id = $1 and withdrawal_id = $2 order by version`,
      values: [operatorId, withdrawalId],
    });
    return rows.map((row) => ({ ...row, feeRate: BigInt(row.feeRate), mostFee: BigInt(row.mostFee) }));
  }

  async noteReason({ operatorId, withdrawalId }: PayoutKey, reason: string | null): Promise<void> {
    await this.#database.query({
      name: 'coin-payout-reason',
      text: `update coin_payout set reason = $3 where operator_id = $1 and withdrawal_id = $2 and reason is distinct from $3`,
      values: [operatorId, withdrawalId, reason],
    });
  }

  /**
   * Reserves the slots of a queued payout and stores its first transaction.
   * @returns false when another process was faster, for this payout or for a slot
   */
  async reserve(payout: CoinPayout, prepared: PreparedTransaction): Promise<boolean> {
    try {
      return await this.#database.transaction(async (transaction) => {
        if (prepared.expiresAt !== undefined && (await wasAnothers(transaction, payout, prepared.slots))) return false;
        if (!(await moved(transaction, payout, 'prepared', { isPrepared: true }))) return false;
        if (prepared.expiresAt === undefined) await forgetSpentSlots(transaction, payout);
        for (const slot of prepared.slots) {
          await transaction.query({
            name: 'coin-slot-insert',
            // A payout that begins again may get an input of its first transaction once more.
            text: `insert into coin_slot (chain, wallet, slot, operator_id, withdrawal_id) values ($1, $2, $3, $4, $5)
              on conflict (chain, wallet, slot, operator_id, withdrawal_id) do update set is_released = false`,
            values: [payout.chain, payout.wallet, slot, payout.operatorId, payout.withdrawalId],
          });
        }
        const [last] = await transaction.query<{ version: number }>({
          name: 'coin-transaction-last',
          text: `select coalesce(max(version), 0) as version from coin_transaction where operator_id = $1 and withdrawal_id = $2`,
          values: [payout.operatorId, payout.withdrawalId],
        });
        await insertVersion(transaction, payout, (last?.version ?? 0) + 1, prepared);
        return true;
      });
    } catch (error) {
      if (isSlotTaken(error)) return false;
      throw error;
    }
  }

  /** Stores a replacement. Its slots are those that the payout has. */
  async addVersion(payout: PayoutKey, version: number, prepared: PreparedTransaction): Promise<void> {
    await insertVersion(this.#database, payout, version, prepared);
  }

  /** Stores what the signer returned, before anything is sent. @returns false when another process stored it */
  async storeSigned(payout: CoinPayout, version: number, result: Signature): Promise<boolean> {
    return this.#database.transaction((transaction) => storeSignature(transaction, payout, version, result));
  }

  async noteSent({ operatorId, withdrawalId }: PayoutKey, version: number): Promise<void> {
    await this.#database.query({
      name: 'coin-transaction-sent',
      text: `update coin_transaction set sent_at = now()
        where operator_id = $1 and withdrawal_id = $2 and version = $3 and sent_at is null`,
      values: [operatorId, withdrawalId, version],
    });
  }

  /** @returns false when the payout was not in its state any more */
  move(payout: CoinPayout, to: ChainPayoutState, set: MoveFacts = {}): Promise<boolean> {
    return moved(this.#database, payout, to, set);
  }

  /**
   * Notes that a transaction has certainly expired. Nothing else may be on its way then, so that another one may be prepared.
   * @param next `queued`: the payout begins again, with the reason that it keeps until a block has it. Undefined: it keeps its state
   * @returns false when another process was faster, for the payout or for the transaction
   */
  async expire(
    payout: CoinPayout,
    version: number,
    { to, reason }: { readonly to: 'queued' | undefined; readonly reason: 'stuck' | undefined },
  ): Promise<boolean> {
    const { operatorId, withdrawalId, state } = payout;
    return this.#database.transaction(async (transaction) => {
      const rows = await transaction.query({
        name: 'coin-payout-lock',
        text: 'select 1 from coin_payout where operator_id = $1 and withdrawal_id = $2 and state = $3 for update',
        values: [operatorId, withdrawalId, state],
      });
      if (rows.length === 0) return false;
      const over = await transaction.query({
        name: 'coin-transaction-expired',
        text: `update coin_transaction set expired_at = now() where operator_id = $1 and withdrawal_id = $2 and version = $3
            and expires_at is not null and expired_at is null returning 1`,
        values: [operatorId, withdrawalId, version],
      });
      return over.length > 0 && (to === undefined || moved(transaction, payout, to, { reason }));
    });
  }

  /**
   * Staff must look at the payout.
   * @param isReleased another payout may use its slots, which then excludes this one
   */
  async refuse(payout: CoinPayout, reason: string, isReleased: boolean): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      if (!(await moved(transaction, payout, 'refused', { reason }))) return false;
      await transaction.query({
        name: 'coin-slots-release',
        text: 'update coin_slot set is_released = $3 where operator_id = $1 and withdrawal_id = $2',
        values: [payout.operatorId, payout.withdrawalId, isReleased],
      });
      return true;
    });
  }

  /**
   * Ends a displaced payout as paid by a transaction that staff have named.
   * @returns false when the payout was not displaced any more, or the transaction is that of another payout
   */
  async confirmDisplaced(
    { operatorId, withdrawalId, chain, reason }: CoinPayout,
    { hash, fee, by }: { readonly hash: string; readonly fee: bigint | undefined; readonly by: string },
  ): Promise<boolean> {
    const rows = await this.#database.query({
      text: `with ended as (update coin_payout set state = 'confirmed', reason = null, hash = $3, fee = $4
          where operator_id = $1 and withdrawal_id = $2 and state = 'displaced' and not exists (select 1 from coin_payout other
            where other.chain = $6 and other.withdrawal_id <> $2 and other.hash = $3) returning operator_id, withdrawal_id)
        insert into coin_payout_decision (operator_id, withdrawal_id, decision, state, reason, has_looked, hash, by)
        select operator_id, withdrawal_id, 'paid', 'displaced', $7, true, $3, $5 from ended returning 1`,
      values: [operatorId, withdrawalId, hash, fee === undefined ? null : String(fee), by, chain, reason],
    });
    return rows.length > 0;
  }

  /** Whether a new payout must wait: another one of the wallet has a slot and no signature. */
  async isUnsigned({ chain, wallet }: Place): Promise<boolean> {
    const rows = await this.#database.query({
      name: 'coin-wallet-unsigned',
      text: `select 1 from coin_payout p where chain = $1 and wallet = $2 and reported_at is null and (state = 'prepared'
          or (state = 'refused' and exists (select 1 from coin_slot s where s.operator_id = p.operator_id
            and s.withdrawal_id = p.withdrawal_id and not s.is_released))) limit 1`,
      values: [chain, wallet],
    });
    return rows.length > 0;
  }

  async noteReported({ operatorId, withdrawalId }: PayoutKey): Promise<void> {
    await this.#database.query({
      name: 'coin-payout-reported',
      text: `update coin_payout set reported_at = now()
        where operator_id = $1 and withdrawal_id = $2 and reported_at is null`,
      values: [operatorId, withdrawalId],
    });
  }
}
