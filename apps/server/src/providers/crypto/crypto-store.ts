/** Addresses that were given out and what came to them, in SQL. */
import type { Database, Transaction } from '../../database/database.ts';
import type { Block, Incoming } from './chain-source.ts';
import type { KnownOutput } from './judge-output.ts';

export interface NewAddress {
  readonly chain: string;
  readonly depositId: string;
  /** A short name of the account's key. */
  readonly account: string;
  readonly coin: string;
  readonly contract: string;
  readonly watchedForS: number;
  addressAt(index: number): string;
}

export interface GivenAddress {
  readonly address: string;
  readonly depositId: string;
  readonly coin: string;
  /** '' for the chain's own coin. */
  readonly contract: string;
}

export interface StoredOutput extends KnownOutput, GivenAddress {
  readonly txid: string;
  readonly raw: bigint;
  readonly firstSeenAt: Date;
}

/** How far a chain was looked through, and since when its tip stands where it is. */
export interface Progress {
  readonly scanned: Block | undefined;
  readonly tipHeight: number | undefined;
  readonly stalledForS: number;
}

export type CryptoStore = ReturnType<typeof createCryptoStore>;

export function createCryptoStore(database: Database) {
  /** The address of a deposit: the same one however often it is asked for. */
  async function giveAddress(wish: NewAddress): Promise<GivenAddress> {
    return database.transaction(async (transaction) => {
      const known = await addressOfDeposit(transaction, wish.depositId);
      if (known !== undefined) return known;
      const [row] = await transaction.query<{ index: bigint }>({
        name: 'crypto-index',
        text: `insert into crypto_chain (chain, account, next_index) values ($1, $2, 1)
          on conflict (chain) do update set account = $2,
            next_index = case when crypto_chain.account = $2 then crypto_chain.next_index + 1
              else coalesce((select max(index) + 1 from crypto_address where chain = $1 and account = $2), 0) + 1 end
          returning next_index - 1 as index`,
        values: [wish.chain, wish.account],
      });
      if (row === undefined) throw new Error('No index for an address');
      const address = wish.addressAt(Number(row.index));
      await transaction.query({
        name: 'crypto-address-insert',
        text: `insert into crypto_address (chain, address, deposit_id, account, index, coin, contract, watched_until)
          values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))`,
        values: [
          wish.chain,
          address,
          wish.depositId,
          wish.account,
          row.index,
          wish.coin,
          wish.contract,
          wish.watchedForS,
        ],
      });
      return { address, depositId: wish.depositId, coin: wish.coin, contract: wish.contract };
    });
  }

  async function addressOfDeposit(queryable: Pick<Transaction, 'query'>, depositId: string) {
    const [row] = await queryable.query<GivenAddress & { readonly chain: string }>({
      name: 'crypto-address-of-deposit',
      text: `select chain, address, deposit_id as "depositId", coin, contract from crypto_address where deposit_id = $1`,
      values: [depositId],
    });
    return row;
  }

  /** Takes a chain for one round; undefined while another node has it or its next block is not due. */
  async function lease(chain: string, seconds: number): Promise<Progress | undefined> {
    const [row] = await database.query<{
      height: bigint | null;
      hash: string | null;
      tip: bigint | null;
      stalled: number;
    }>({
      name: 'crypto-lease',
      text: `update crypto_chain set next_at = now() + make_interval(secs => $2)
        where chain = $1 and next_at <= now()
        returning scanned_height as height, scanned_hash as hash, tip_height as tip,
          coalesce(extract(epoch from now() - tip_at), 0)::float8 as stalled`,
      values: [chain, seconds],
    });
    if (row === undefined) return undefined;
    const { height, hash, tip, stalled } = row;
    return {
      scanned: height === null || hash === null ? undefined : { height: Number(height), hash },
      tipHeight: tip === null ? undefined : Number(tip),
      stalledForS: stalled,
    };
  }

  async function keepProgress(chain: string, scanned: Block, tip: Block): Promise<void> {
    await database.query({
      name: 'crypto-progress',
      text: `update crypto_chain set scanned_height = $2, scanned_hash = $3,
        tip_at = case when tip_height is distinct from $4::bigint then now() else tip_at end, tip_height = $4
        where chain = $1`,
      values: [chain, scanned.height, scanned.hash, tip.height],
    });
  }

  async function watched(chain: string): Promise<GivenAddress[]> {
    return database.query<GivenAddress>({
      name: 'crypto-watched',
      text: `select address, deposit_id as "depositId", coin, contract from crypto_address
        where chain = $1 and watched_until > now() order by index`,
      values: [chain],
    });
  }

  /** Of some addresses those that were ever given out, watched or not, with the contract of each. */
  async function givenOf(chain: string, addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await database.query<Pick<GivenAddress, 'address' | 'contract'>>({
      name: 'crypto-given',
      text: 'select address, contract from crypto_address where chain = $1 and address = any($2)',
      values: [chain, addresses],
    });
    return new Map(rows.map(({ address, contract }) => [address, contract]));
  }

  /** Writes down what a node reported; the block of a payment may change with the chain. */
  async function record(chain: string, parts: readonly Incoming[]): Promise<void> {
    for (const { txid, address, contract = '', raw, block } of parts) {
      await database.query({
        name: 'crypto-output-upsert',
        text: `insert into crypto_output (chain, txid, address, contract, raw, height, block_hash)
          values ($1, $2, $3, $4, $5, $6, $7)
          on conflict (chain, txid, address, contract) do update
            set height = excluded.height, block_hash = excluded.block_hash, raw = excluded.raw
            where not crypto_output.is_settled`,
        values: [chain, txid, address, contract, String(raw), block?.height ?? null, block?.hash ?? null],
      });
    }
  }

  async function open(chain: string): Promise<StoredOutput[]> {
    const rows = await database.query<
      Omit<StoredOutput, 'raw' | 'block' | 'goneAtHeight'> & {
        readonly raw: string;
        readonly height: bigint | null;
        readonly hash: string | null;
        readonly gone: bigint | null;
      }
    >({
      name: 'crypto-output-open',
      text: `select txid, crypto_output.address, crypto_output.contract, raw::text as raw, height, block_hash as hash, told,
          gone_at_height as gone, first_seen_at as "firstSeenAt", deposit_id as "depositId", coin
        from crypto_output join crypto_address using (chain, address)
        where chain = $1 and not is_settled order by first_seen_at, txid`,
      values: [chain],
    });
    return rows.map(({ raw, height, hash, gone, ...row }) => ({
      ...row,
      raw: BigInt(raw),
      block: height === null || hash === null ? undefined : { height: Number(height), hash },
      goneAtHeight: gone === null ? undefined : Number(gone),
    }));
  }

  async function note(
    chain: string,
    { txid, address, contract }: Pick<StoredOutput, 'txid' | 'address' | 'contract'>,
    change: { readonly told: string; readonly goneAtHeight: number | undefined; readonly isSettled: boolean },
  ): Promise<void> {
    await database.query({
      name: 'crypto-output-note',
      text: `update crypto_output set told = $5, gone_at_height = $6, is_settled = $7
        where chain = $1 and txid = $2 and address = $3 and contract = $4`,
      values: [chain, txid, address, contract, change.told, change.goneAtHeight ?? null, change.isSettled],
    });
  }

  return {
    giveAddress,
    addressOfDeposit: (depositId: string) => addressOfDeposit(database, depositId),
    lease,
    keepProgress,
    watched,
    givenOf,
    record,
    open,
    note,
  };
}
