/**
 * Books what networks took for payouts that have ended (WD-2, docs/payouts.md). The fee is that of the mined transaction, also where the chain
 * refused the payment in it. A step of its own, so that a process that dies before it leaves nothing unbooked.
 */
import { type NetworkFee, networkFeeMinor } from '@opencashier/core/chain-payout/network-fee';
import type { Database, Transaction } from '../../../database/database.ts';
import { NodeError, NodeSilenceError } from '../chain/chain-source.ts';
import { agreedSighting } from './agreed-sighting.ts';
import type { PayoutRail } from './payout-rail.ts';
import type { PayoutKey } from './payout-rows.ts';
import type { Place } from './wallet-store.ts';

/** The chain's own coin, in which fees are paid. */
export interface FeeCoin {
  readonly coin: string;
  readonly decimals: number;
}

/** A payout that has ended, and whose fee is not in the ledger. */
export interface FeeDue extends PayoutKey {
  readonly contract: string;
  readonly address: string;
  readonly raw: bigint;
  readonly hash: string;
  /** What was signed. '' for a transaction that staff have named. */
  readonly unsigned: string;
  readonly slots: readonly string[];
  /** In the coin's smallest unit. Undefined: the node did not say it when the payout ended. */
  readonly fee: bigint | undefined;
}

/** Writes the journal of a fee, in the transaction that notes the fee as booked. */
export type FeeBooking = (transaction: Transaction, fee: NetworkFee) => Promise<void>;

export class FeeBook {
  readonly #database: Database;
  readonly #booking: FeeBooking;

  constructor(database: Database, booking: FeeBooking) {
    this.#database = database;
    this.#booking = booking;
  }

  /** Those whose fee is known come first. A fee that no node says is asked for during a day; the metric then still counts it. */
  async due({ chain, wallet }: Place, most: number): Promise<FeeDue[]> {
    const rows = await this.#database.query<
      Omit<FeeDue, 'fee' | 'raw'> & { readonly fee: string | null; readonly raw: string }
    >({
      name: 'coin-fees-due',
      text: `select operator_id as "operatorId", withdrawal_id as "withdrawalId", contract, address, raw::text as raw, hash,
          fee::text as fee, coalesce((select unsigned from coin_transaction t where t.operator_id = p.operator_id
            and t.withdrawal_id = p.withdrawal_id and t.hash = p.hash limit 1), '') as unsigned,
          array(select slot from coin_slot s where s.operator_id = p.operator_id and s.withdrawal_id = p.withdrawal_id
            and not s.is_released order by slot) as slots from coin_payout p
        where chain = $1 and wallet = $2 and fee_booked_at is null and state in ('confirmed', 'failed') and hash is not null
          and (fee is not null or reported_at is null or reported_at > now() - interval '1 day')
        order by fee is null, created_at limit $3`,
      values: [chain, wallet, most],
    });
    return rows.map(({ fee, raw, ...row }) => ({
      ...row,
      raw: BigInt(raw),
      fee: fee === null ? undefined : BigInt(fee),
    }));
  }

  /**
   * Books the fee of one payout, once. A fee of 0 is noted without a journal.
   * @param raw in the coin's smallest unit
   * @returns false when another process was faster
   */
  book({ operatorId, withdrawalId, hash }: FeeDue, raw: bigint, { coin, decimals }: FeeCoin): Promise<boolean> {
    const minor = networkFeeMinor({ raw, decimals });
    return this.#database.transaction(async (transaction) => {
      const rows = await transaction.query({
        name: 'coin-fee-booked',
        text: `update coin_payout set fee = $4, fee_coin = $5, fee_minor = $6, fee_booked_at = now()
          where operator_id = $1 and withdrawal_id = $2 and hash = $3 and fee_booked_at is null and state in ('confirmed', 'failed')
          returning 1`,
        values: [operatorId, withdrawalId, hash, String(raw), coin, minor],
      });
      if (rows.length === 0) return false;
      await this.#booking(transaction, { operatorId, withdrawalId, provider: 'crypto', asset: coin, minor, hash });
      return true;
    });
  }
}

/** No coin has as many minor units. A larger fee is nonsense, and would not fit into the ledger. */
const MOST_MINOR = 2n ** 62n;

/**
 * Books the fees that are due at one wallet. All nodes that say a fee must agree. A fee that a node refuses to say holds up no other.
 * @throws NodeError when a node does not say a fee, or says an impossible one, after the others; at once when it is silent
 */
export async function bookFees(wallet: FeeWallet, fees: Pick<FeeBook, 'due' | 'book'>, most: number): Promise<void> {
  const { chain, rails, feeCoin } = wallet;
  let refusal: NodeError | undefined;
  for (const due of await fees.due({ chain, wallet: rails[0].wallet }, most)) {
    try {
      const raw = due.fee ?? (await agreedSighting(wallet, due, due.slots, [due])).fee;
      if (raw === undefined) continue;
      if (networkFeeMinor({ raw, decimals: feeCoin.decimals }) > MOST_MINOR)
        throw new NodeError('The node returned an impossible network fee');
      await fees.book(due, raw, feeCoin);
    } catch (error) {
      if (!(error instanceof NodeError) || error instanceof NodeSilenceError) throw error;
      refusal = error;
    }
  }
  if (refusal !== undefined) throw refusal;
}

interface FeeWallet {
  readonly chain: string;
  readonly rails: readonly [Pick<PayoutRail, 'look' | 'wallet'>, ...Pick<PayoutRail, 'look'>[]];
  readonly required: number;
  readonly feeCoin: FeeCoin;
}
