/** The payments to our addresses, and how far each chain was scanned, in SQL. */
import type { OutputReport } from '@opencashier/core/reconciliation/output-in-balance';
import type { Database } from '../../database/database.ts';
import type { GivenAddress } from './addresses/address-store.ts';
import type { Block, IncomingPayment } from './chain/chain-source.ts';
import type { KnownOutput } from './judge-output.ts';

export interface StoredOutput extends KnownOutput, GivenAddress {
  readonly txid: string;
  readonly raw: bigint;
  readonly firstSeenAt: Date;
}

/** How far a chain was scanned, and how long its tip has stayed the same. */
export interface Progress {
  readonly scanned: Block | undefined;
  readonly tipHeight: number | undefined;
  readonly stalledForS: number;
  /** Seconds since the first address of the chain was given out. 0 once the chain was scanned. */
  readonly openedForS: number;
}

export class CryptoStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Takes a chain for one round. Undefined while another process has it or its next round is not due. */
  async lease(chain: string, seconds: number): Promise<Progress | undefined> {
    const [row] = await this.#database.query<{
      height: bigint | null;
      hash: string | null;
      tip: bigint | null;
      stalled: number;
      opened: number;
    }>({
      name: 'crypto-lease',
      text: `update crypto_chain set next_at = now() + make_interval(secs => $2)
        where chain = $1 and next_at <= now()
        returning scanned_height as height, scanned_hash as hash, tip_height as tip,
          coalesce(extract(epoch from now() - tip_at), 0)::float8 as stalled,
          coalesce(extract(epoch from now() - (select min(created_at) from crypto_address
            where crypto_address.chain = $1 and crypto_chain.scanned_height is null)), 0)::float8 as opened`,
      values: [chain, seconds],
    });
    if (row === undefined) return undefined;
    const { height, hash, tip, stalled, opened } = row;
    return {
      scanned: height === null || hash === null ? undefined : { height: Number(height), hash },
      tipHeight: tip === null ? undefined : Number(tip),
      stalledForS: stalled,
      openedForS: opened,
    };
  }

  /** Ends a round. The next one is due in `seconds`. */
  async release(chain: string, seconds: number): Promise<void> {
    await this.#database.query({
      name: 'crypto-release',
      text: 'update crypto_chain set next_at = now() + make_interval(secs => $2) where chain = $1',
      values: [chain, seconds],
    });
  }

  /** Notes that a server watches these coins, so that a coin that left the settings of all servers is known. */
  async noteWatched(chain: string, coins: readonly string[]): Promise<void> {
    await this.#database.query({
      name: 'crypto-coins-watched',
      text: `insert into crypto_coin (chain, coin) select $1, coin from unnest($2::text[]) coin order by coin
        on conflict (chain, coin) do update set watched_at = now()`,
      values: [chain, coins],
    });
  }

  async keepProgress(chain: string, scanned: Block, tip: Block): Promise<void> {
    await this.#database.query({
      name: 'crypto-progress',
      text: `update crypto_chain set scanned_height = $2, scanned_hash = $3,
        tip_at = case when tip_height is distinct from $4::bigint then now() else tip_at end, tip_height = $4
        where chain = $1`,
      values: [chain, scanned.height, scanned.hash, tip.height],
    });
  }

  /**
   * Stores the payments that a node reported. A fork may move a payment to another block. A lagging node may report a payment without
   * its block, and the stored block then stays.
   */
  async record(chain: string, payments: readonly IncomingPayment[]): Promise<void> {
    for (const { txid, address, contract = '', raw, block } of payments) {
      await this.#database.query({
        name: 'crypto-output-upsert',
        text: `insert into crypto_output (chain, txid, address, contract, raw, height, block_hash)
          values ($1, $2, $3, $4, $5, $6, $7)
          on conflict (chain, txid, address, contract) do update
            set height = excluded.height, block_hash = excluded.block_hash, raw = excluded.raw
            where not crypto_output.is_settled and (excluded.height is not null or crypto_output.height is null
              or crypto_output.gone_at_height is not null)`,
        values: [chain, txid, address, contract, String(raw), block?.height ?? null, block?.hash ?? null],
      });
    }
  }

  /** All payments that may still change: those that are not settled, the oldest first. */
  async open(chain: string): Promise<StoredOutput[]> {
    const rows = await this.#database.query<
      Omit<StoredOutput, 'raw' | 'block' | 'goneAtHeight'> & {
        readonly raw: string;
        readonly height: bigint | null;
        readonly hash: string | null;
        readonly gone: bigint | null;
      }
    >({
      name: 'crypto-output-open',
      text: `select txid, crypto_output.address, crypto_output.contract, raw::text as raw, height, block_hash as hash,
          told as reported,
          gone_at_height as gone, first_seen_at as "firstSeenAt", deposit_id as "depositId", coin
        from crypto_output join crypto_address using (chain, address)
        where chain = $1 and not is_settled and (told <> 'gone' or watched_until > now())
        order by first_seen_at, txid`,
      values: [chain],
    });
    return rows.map(({ raw, height, hash, gone, ...row }) => ({
      ...row,
      raw: BigInt(raw),
      block: height === null || hash === null ? undefined : { height: Number(height), hash },
      goneAtHeight: gone === null ? undefined : Number(gone),
    }));
  }

  /** Stores what was reported of a payment. */
  async note(
    chain: string,
    { txid, address, contract }: Pick<StoredOutput, 'txid' | 'address' | 'contract'>,
    change: { readonly reported: OutputReport; readonly goneAtHeight: number | undefined; readonly isSettled: boolean },
  ): Promise<void> {
    await this.#database.query({
      name: 'crypto-output-note',
      text: `update crypto_output set told = $5, gone_at_height = $6, is_settled = $7
        where chain = $1 and txid = $2 and address = $3 and contract = $4`,
      values: [chain, txid, address, contract, change.reported, change.goneAtHeight ?? null, change.isSettled],
    });
  }
}
