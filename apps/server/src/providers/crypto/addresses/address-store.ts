/** The addresses that were given out, and their series, in SQL. */
import type { Database, Queryable } from '../../../database/database.ts';
import type { AddressPlace } from '../chain/receiving-address.ts';

export interface GivenAddress {
  readonly address: string;
  readonly depositId: string;
  readonly coin: string;
  /** '' for the chain's own coin. */
  readonly contract: string;
}

export interface NewAddress extends GivenAddress {
  readonly chain: string;
  /** A short hash of the account's key. */
  readonly account: string;
  /** Absent for the destination of a payment without a memo, which belongs to no series. */
  readonly place?: AddressPlace;
  readonly watchedForS: number;
}

/** A series as the database knows it. */
export interface KnownSeries {
  readonly branch: number;
  /** The highest index that was given out. -1 means none. */
  readonly lastIndex: number;
  readonly acknowledgedTo: number;
}

export interface KeptAddress extends GivenAddress {
  /** The database does not know the series any more, so it has gone back since the series was opened. */
  readonly hasGoneBack: boolean;
}

/** Branches are numbered by seconds since this date. Such numbers fit the path for 68 years. */
const EPOCH_S = Date.UTC(2026, 0, 1) / 1000;
/** More processes than ever open a series of one chain in the same second. */
const MOST_TRIES = 100;
/** Rows that are not asked for any more still fill a batch once. This limits the number of further batches. */
const MOST_TURNS = 20;

export class AddressStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Makes the row of a chain, from which its watch and the reading of its balances begin. */
  keepChain(chain: string, account: string): Promise<void> {
    return keepChain(this.#database, chain, account);
  }

  /**
   * Opens a series that no process has used. Its branch is the current second, by the later of this machine's and the database's
   * clock. A restore turns the database back but not the time, so the branch is new.
   * @returns the branch
   */
  async openSeries(chain: string, account: string, nowMs: number): Promise<number> {
    await this.keepChain(chain, account);
    for (let later = 0; later < MOST_TRIES; later += 1) {
      const [row] = await this.#database.query<{ branch: number }>({
        name: 'crypto-series-open',
        text: `insert into crypto_series (chain, account, branch)
          values ($1, $2, greatest($3::bigint, extract(epoch from now())::bigint) - $4 + $5)
          on conflict do nothing returning branch`,
        values: [chain, account, Math.floor(nowMs / 1000), EPOCH_S, later],
      });
      if (row !== undefined) return row.branch;
    }
    throw new Error(`No free series of receiving addresses on ${chain}`);
  }

  /** The index of the next prepared address: after the last one that was given out, and after those that staff know to be lost. */
  async nextPrepared(chain: string, account: string): Promise<number> {
    await this.keepChain(chain, account);
    await this.#database.query({
      name: 'crypto-prepared-open',
      text: 'insert into crypto_series (chain, account, branch) values ($1, $2, 0) on conflict do nothing',
      values: [chain, account],
    });
    const [row] = await this.#database.query<{ next: bigint }>({
      name: 'crypto-prepared-next',
      text: `select greatest(acknowledged_to, (select max(index) + 1 from crypto_address
            where chain = $1 and account = $2 and branch = 0))::bigint as next
        from crypto_series where chain = $1 and account = $2 and branch = 0`,
      values: [chain, account],
    });
    return Number(row?.next ?? 0);
  }

  /**
   * Keeps an address for a deposit. A deposit that has an address keeps that one.
   * @returns undefined where the address or its place belongs to another deposit
   */
  async keep(intent: NewAddress): Promise<KeptAddress | undefined> {
    return this.#database.transaction(async (transaction) => {
      const { chain, account, place, address, depositId, coin, contract, watchedForS } = intent;
      await keepChain(transaction, chain, account);
      const missing =
        place === undefined
          ? []
          : await transaction.query({
              name: 'crypto-series-keep',
              text: `insert into crypto_series (chain, account, branch) values ($1, $2, $3)
                on conflict do nothing returning branch`,
              values: [chain, account, place.branch],
            });
      await transaction.query({
        name: 'crypto-address-insert',
        text: `insert into crypto_address
            (chain, address, deposit_id, account, branch, index, coin, contract, watched_until)
          values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9)) on conflict do nothing`,
        values: [
          chain,
          address,
          depositId,
          account,
          place?.branch ?? 0,
          place?.index ?? null,
          coin,
          contract,
          watchedForS,
        ],
      });
      const kept = await this.ofDeposit(depositId, transaction);
      return kept && { ...kept, hasGoneBack: missing.length > 0 };
    });
  }

  async ofDeposit(
    depositId: string,
    queryable: Queryable = this.#database,
  ): Promise<(GivenAddress & { readonly chain: string }) | undefined> {
    const [row] = await queryable.query<GivenAddress & { readonly chain: string }>({
      name: 'crypto-address-of-deposit',
      text: `select chain, address, deposit_id as "depositId", coin, contract from crypto_address where deposit_id = $1`,
      values: [depositId],
    });
    return row;
  }

  /** Those of the given addresses that are watched, with the contract of each. */
  async watchedOf(chain: string, addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#database.query<Pick<GivenAddress, 'address' | 'contract'>>({
      name: 'crypto-watched',
      text: `select address, contract from crypto_address
        where chain = $1 and address = any($2) and watched_until > now()`,
      values: [chain, addresses],
    });
    return new Map(rows.map(({ address, contract }) => [address, contract]));
  }

  /** A page of the watched addresses in their order, with the contract of each. @param after '' for the first page */
  async watchedAfter(
    chain: string,
    after: string,
    most: number,
  ): Promise<Pick<GivenAddress, 'address' | 'contract'>[]> {
    return this.#database.query<Pick<GivenAddress, 'address' | 'contract'>>({
      name: 'crypto-watched-page',
      text: `select address, contract from crypto_address
        where chain = $1 and address > $2 and watched_until > now() order by address limit $3`,
      values: [chain, after, most],
    });
  }

  /** One watched destination of each wallet that payers were shown. */
  async wallets(chain: string): Promise<string[]> {
    const rows = await this.#database.query<{ address: string }>({
      name: 'crypto-wallets',
      text: `select min(address) as address from crypto_address where chain = $1 and watched_until > now()
        group by split_part(address, '/', 1)`,
      values: [chain],
    });
    return rows.map(({ address }) => address);
  }

  async isAnyWatched(chain: string): Promise<boolean> {
    const [row] = await this.#database.query<{ found: boolean }>({
      name: 'crypto-any-watched',
      text: `select exists (select 1 from crypto_address where chain = $1 and watched_until > now())
        or exists (select 1 from crypto_output where chain = $1 and not is_settled) as found`,
      values: [chain],
    });
    return row?.found === true;
  }

  /**
   * Takes addresses that are due to be asked for unconfirmed payments, and sets their next time. New addresses are due often, older
   * ones rarely. An address that has expired or whose payment is settled is never due again, so old addresses cost nothing.
   */
  async takeDueLooks(chain: string, lifetimeS: number, most: number): Promise<string[]> {
    const found: string[] = [];
    for (let turns = 0; turns < MOST_TURNS && found.length < most; turns += 1) {
      const wanted = most - found.length;
      const rows = await this.#database.query<{ address: string; isAsked: boolean }>({
        name: 'crypto-looks',
        text: `with due as (select address, created_at <= now() - make_interval(secs => $2) as is_expired,
              exists (select 1 from crypto_output where crypto_output.chain = $1
                and crypto_output.address = crypto_address.address and is_settled) as is_settled,
              exists (select 1 from crypto_output where crypto_output.chain = $1
                and crypto_output.address = crypto_address.address and height is not null) as is_in_block
            from crypto_address where chain = $1 and look_at <= now() order by look_at limit $3)
          update crypto_address set look_at = case when is_expired or is_settled then 'infinity'::timestamptz else now()
              + make_interval(secs => least(greatest(extract(epoch from now() - created_at) / 4, 30), 3600)) end
            from due where crypto_address.chain = $1 and crypto_address.address = due.address
            returning crypto_address.address, not (is_expired or is_settled or is_in_block) as "isAsked"`,
        values: [chain, lifetimeS, wanted],
      });
      found.push(...rows.filter(({ isAsked }) => isAsked).map(({ address }) => address));
      if (rows.length < wanted) break;
    }
    return found;
  }

  /** Those of the given addresses that were ever given out, watched or not, with the contract of each. */
  async givenOf(chain: string, addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#database.query<Pick<GivenAddress, 'address' | 'contract'>>({
      name: 'crypto-given',
      text: 'select address, contract from crypto_address where chain = $1 and address = any($2)',
      values: [chain, addresses],
    });
    return new Map(rows.map(({ address, contract }) => [address, contract]));
  }

  /** The series of an account, newest first. */
  async series(chain: string, account: string, most: number): Promise<KnownSeries[]> {
    const rows = await this.#database.query<Omit<KnownSeries, 'lastIndex'> & { readonly last: bigint }>({
      text: `select branch, acknowledged_to as "acknowledgedTo", coalesce((select max(index) from crypto_address
            where chain = $1 and account = $2 and branch = crypto_series.branch), -1) as last
        from crypto_series where chain = $1 and account = $2 order by opened_at desc, branch desc limit $3`,
      values: [chain, account, most],
    });
    return rows.map(({ last, ...row }) => ({ ...row, lastIndex: Number(last) }));
  }

  /** The indices of a series that were given out, from `from` on. */
  async givenIndices(chain: string, account: string, branch: number, from: number): Promise<Set<number>> {
    const rows = await this.#database.query<{ index: bigint }>({
      text: 'select index from crypto_address where chain = $1 and account = $2 and branch = $3 and index >= $4',
      values: [chain, account, branch, from],
    });
    return new Set(rows.map(({ index }) => Number(index)));
  }

  /** Staff know of the lost addresses below this place. They no longer stop a start. */
  async acknowledge(chain: string, account: string, { branch, index }: AddressPlace, by: string): Promise<void> {
    await this.#database.query({
      text: `insert into crypto_series (chain, account, branch, acknowledged_to, acknowledged_by)
        values ($1, $2, $3, $4, $5) on conflict (chain, account, branch) do update
          set acknowledged_to = greatest(crypto_series.acknowledged_to, $4), acknowledged_by = $5`,
      values: [chain, account, branch, index, by],
    });
  }
}

async function keepChain(queryable: Queryable, chain: string, account: string): Promise<void> {
  await queryable.query({
    name: 'crypto-chain-keep',
    text: `insert into crypto_chain (chain, account) values ($1, $2)
      on conflict (chain) do update set account = $2 where crypto_chain.account <> $2`,
    values: [chain, account],
  });
}
