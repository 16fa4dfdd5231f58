/** The balances that nodes named, and how far a reading has come, in SQL. */
import type { Database } from '../../../database/database.ts';
import type { BalancePlace, BalancesAt } from '../chain/chain-source.ts';

export class BalanceStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The address after which the reading goes on. Undefined while none is due. */
  async due(chain: string): Promise<string | undefined> {
    const [row] = await this.#database.query<{ after: string }>({
      name: 'crypto-balances-due',
      text: 'select balances_after as after from crypto_chain where chain = $1 and balances_due_at <= now()',
      values: [chain],
    });
    return row?.after;
  }

  /**
   * Addresses whose balance may have changed, in their order: those that had coins at the last reading, and those that were paid since.
   * An address that was emptied is not asked for again until it is paid again.
   * @param least The last address comes with all its assets, so there may be more. Fewer: these are the last.
   */
  changing(chain: string, after: string, least: number): Promise<BalancePlace[]> {
    return this.#database.query<BalancePlace>({
      name: 'crypto-balances-changing',
      // Two short lists in the order of an index each. A payment that the sums alone count is not after its balance, so the history of
      // emptied addresses is not read.
      text: `(select known.address, known.contract from crypto_balance known
            where known.chain = $1 and known.address > $2 and known.raw > 0
              and exists (select 1 from crypto_output paid where paid.chain = known.chain and paid.address = known.address
                and paid.contract = known.contract and paid.height is not null)
            order by known.address fetch first $3 rows with ties)
        union
        (select output.address, output.contract from crypto_output output
            left join crypto_balance known on known.chain = output.chain and known.address = output.address
              and known.contract = output.contract
            where output.chain = $1 and output.address > $2 and not output.is_summed and output.height is not null
              and (known.raw is null or output.height > known.height)
            group by output.address, output.contract order by output.address fetch first $3 rows with ties)
        order by address fetch first $3 rows with ties`,
      values: [chain, after, least],
    });
  }

  async keep(chain: string, places: readonly BalancePlace[], { raws, first, last }: BalancesAt): Promise<void> {
    await this.#database.query({
      name: 'crypto-balances-keep',
      text: `insert into crypto_balance (chain, address, contract, raw, height, last_height, read_at)
        select $1, address, contract, raw, $5, $6, now() from unnest($2::text[], $3::text[], $4::numeric[]) as found(address, contract, raw)
        on conflict (chain, address, contract) do update
          set raw = excluded.raw, height = excluded.height, last_height = excluded.last_height, read_at = excluded.read_at`,
      values: [
        chain,
        places.map(({ address }) => address),
        places.map(({ contract }) => contract),
        raws.map(String),
        first,
        last,
      ],
    });
  }

  async goOn(chain: string, after: string): Promise<void> {
    await this.#database.query({
      name: 'crypto-balances-go-on',
      text: 'update crypto_chain set balances_after = $2 where chain = $1',
      values: [chain, after],
    });
  }

  /** What was read stays, and the reading goes on after it in some minutes. */
  async postpone(chain: string, minutes: number): Promise<void> {
    await this.#database.query({
      name: 'crypto-balances-postpone',
      text: `update crypto_chain set balances_due_at = now() + make_interval(mins => $2) where chain = $1`,
      values: [chain, minutes],
    });
  }

  /**
   * Hands a whole reading over to be compared. Until `finish` the reading stays where it is, so that its end is read again in `minutes`
   * when nobody compares it.
   */
  async handOver(chain: string, height: number, minutes: number): Promise<void> {
    await this.#database.query({
      name: 'crypto-balances-hand-over',
      text: `update crypto_chain set read_at = clock_timestamp(), read_height = $2, balances_due_at = now() + make_interval(mins => $3)
        where chain = $1`,
      values: [chain, height, minutes],
    });
  }

  /**
   * Takes the reading that waits, for one process.
   * @returns its newest block. `late`: it is older than `minutes`. Undefined: none waits
   */
  async takeRead(chain: string, minutes: number): Promise<number | 'late' | undefined> {
    const [row] = await this.#database.query<{ height: bigint; isLate: boolean }>({
      name: 'crypto-balances-take',
      text: `update crypto_chain chain set read_at = null from (select chain, read_height, read_at from crypto_chain where chain = $1
          and read_at is not null for update skip locked) waiting
        where chain.chain = waiting.chain
        returning waiting.read_height as height, waiting.read_at <= now() - make_interval(mins => $2) as "isLate"`,
      values: [chain, minutes],
    });
    if (row === undefined) return undefined;
    return row.isLate ? 'late' : Number(row.height);
  }

  /** The chain is compared. The next reading begins with the next day in UTC. */
  async finish(chain: string): Promise<void> {
    await this.#database.query({
      name: 'crypto-balances-finish',
      text: `update crypto_chain set balances_after = '', balances_due_at = date_trunc('day', now(), 'UTC') + interval '1 day',
          compared_at = clock_timestamp()
        where chain = $1`,
      values: [chain],
    });
  }
}
