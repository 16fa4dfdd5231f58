/** The hot wallets, in SQL: who works on one, whether its signer answers, and whether it has little left. */
import type { Database } from '../../../database/database.ts';

/** One hot wallet. */
export interface Place {
  readonly chain: string;
  /** The address that pays. */
  readonly wallet: string;
}

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
}
