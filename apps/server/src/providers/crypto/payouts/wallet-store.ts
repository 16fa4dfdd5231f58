/** The hot wallets, in SQL: who works on one, whether its signer answers, and whether it has little left. */
import type { OwnSlots, WalletDoubt } from '@opencashier/core/chain-payout/wallet-doubt';
import type { Database } from '../../../database/database.ts';

/** One hot wallet. */
export interface Place {
  readonly chain: string;
  /** The address that pays. */
  readonly wallet: string;
}

/** More than a wallet ever has on their way. */
const NEWEST_PAYOUTS = 200;

export class WalletStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Takes a wallet for one round. False while another process has it, or its next round is not due. */
  async lease({ chain, wallet }: Place, seconds: number): Promise<boolean> {
    const rows = await this.#database.query({
      name: 'coin-wallet-lease',
      text: `insert into coin_wallet (chain, wallet, next_at) values ($1, $2, now() + make_interval(secs => $3))
        on conflict (chain, wallet) do update set next_at = excluded.next_at where coin_wallet.next_at <= now() returning 1`,
      values: [chain, wallet, seconds],
    });
    return rows.length > 0;
  }

  async release({ chain, wallet }: Place, seconds: number): Promise<void> {
    await this.#database.query({
      name: 'coin-wallet-release',
      text: 'update coin_wallet set next_at = now() + make_interval(secs => $3) where chain = $1 and wallet = $2',
      values: [chain, wallet, seconds],
    });
  }

  async noteSigner({ chain, wallet }: Place, hasAnswered: boolean): Promise<void> {
    await this.#database.query({
      name: 'coin-wallet-signer',
      text: `update coin_wallet set answered_at = case when $3 then now() else answered_at end,
          silent_since = case when $3 then null else coalesce(silent_since, now()) end
        where chain = $1 and wallet = $2`,
      values: [chain, wallet, hasAnswered],
    });
  }

  /** @returns whether this is news */
  async noteLow({ chain, wallet }: Place, isLow: boolean): Promise<boolean> {
    const rows = await this.#database.query({
      name: 'coin-wallet-low',
      text: 'update coin_wallet set is_low = $3 where chain = $1 and wallet = $2 and is_low <> $3 returning 1',
      values: [chain, wallet, isLow],
    });
    return rows.length > 0;
  }

  /**
   * Notes why no payout of the wallet may begin. Undefined: nothing speaks against it any more.
   * @param next of a wallet that was used elsewhere: staff accept transactions before this number alone
   * @returns whether this is news, such as more transactions
   */
  async noteDoubt(
    { chain, wallet }: Place,
    doubt: WalletDoubt | undefined,
    next: bigint | undefined,
  ): Promise<boolean> {
    const rows = await this.#database.query({
      name: 'coin-wallet-doubt',
      text: `update coin_wallet set doubt = $3, doubt_next = $4,
          doubted_since = case when $3::text is null then null else coalesce(doubted_since, now()) end
        where chain = $1 and wallet = $2 and (doubt, doubt_next) is distinct from ($3::text, $4::numeric) returning 1`,
      values: [chain, wallet, doubt ?? null, doubt === 'used-elsewhere' && next !== undefined ? String(next) : null],
    });
    return rows.length > 0;
  }

  /** Nothing waits any more for nodes that did not fit. What staff must look up stays. */
  async endDoubt({ chain, wallet }: Place): Promise<void> {
    await this.#database.query({
      name: 'coin-wallet-doubt-end',
      text: `update coin_wallet set doubt = null, doubted_since = null
        where chain = $1 and wallet = $2 and doubt in ('node-behind', 'nodes-disagree')`,
      values: [chain, wallet],
    });
  }

  /**
   * What the cashier knows of the slots of its own payouts.
   * @param slots what a prepared transaction wants to spend
   * @param hasCounter whether the slots are numbers
   */
  async ownSlots({ chain, wallet }: Place, slots: readonly string[], hasCounter: boolean): Promise<OwnSlots> {
    const [spent] = await this.#database.query({
      name: 'coin-slots-spent',
      text: `select 1 from coin_slot s join coin_payout p on p.operator_id = s.operator_id and p.withdrawal_id = s.withdrawal_id
        where s.chain = $1 and s.wallet = $2 and s.slot = any($3) and not s.is_released and p.state in ('confirmed', 'failed') limit 1`,
      values: [chain, wallet, [...slots]],
    });
    if (!hasCounter) return { spent: undefined, reserved: undefined, isSpent: spent !== undefined };
    const [row] = await this.#database.query<Record<'spent' | 'reserved', string | null>>({
      name: 'coin-slots-newest',
      // Counters grow with the payouts, so the newest payouts have the highest ones. What staff accepted counts where it is higher. A slot
      // that was given up explains no transaction: whoever spent it is unknown, or a payout that got it after that and was lost.
      text: `select greatest(accepted, max(slot) filter (where is_spent) + 1)::text as spent, greatest(accepted, max(slot) + 1)::text as reserved
        from (select (select accepted_slot from coin_wallet where chain = $1 and wallet = $2) as accepted) accepted
          left join lateral (select s.slot::numeric as slot, p.state in ('confirmed', 'failed') as is_spent from coin_payout p
              join coin_slot s on s.operator_id = p.operator_id and s.withdrawal_id = p.withdrawal_id and not s.is_released
            where p.chain = $1 and p.wallet = $2 and p.prepared_at is not null
            order by p.prepared_at desc limit ${NEWEST_PAYOUTS}) newest on true
        group by accepted`,
      values: [chain, wallet],
    });
    const toCounter = (text: string | null = null) => (text === null ? undefined : BigInt(text));
    return { spent: toCounter(row?.spent), reserved: toCounter(row?.reserved), isSpent: spent !== undefined };
  }
}
