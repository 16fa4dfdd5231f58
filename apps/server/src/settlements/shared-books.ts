/** What a chain has in the wallets that all operators share, and what the books of all of them say must be there. */
import type { Database, Transaction } from '../database/database.ts';
import type { ChainReading } from '../providers/chain-reading.ts';
import {
  ALL_OPERATORS,
  balanceOf,
  type CoinBalance,
  inSnapshot,
  OUTPUT_SUMS,
  type RawRow,
  type RawSums,
  readRow,
  walletSums,
  withoutCoins,
} from './chain-books.ts';

/** A reading of a chain on which all deposits share one wallet. */
export interface SharedReading extends ChainReading {
  readonly sharedWallet: string;
}

/** The balances of one snapshot, of the deposits' wallet and the hot wallet together. Coins that were not read are left out. */
export function sharedBalances(database: Database, reading: SharedReading): Promise<CoinBalance[]> {
  return inSnapshot(database, reading, async (transaction, kept) => {
    const deposits = await depositSums(transaction, reading);
    const isOneWallet = reading.hotWallet === reading.sharedWallet;
    const payouts = (await walletSums(transaction, reading, kept)).map((one) =>
      isOneWallet ? { ...one, found: 0n } : one,
    );
    // What the ledgers of all operators have booked of payments to the wallet. Payouts are in the sums of the hot wallet.
    const ledger = kept
      .filter(({ wallet }) => wallet === reading.sharedWallet)
      .map(({ contract, credited, rests }) => ({ operatorId: ALL_OPERATORS, contract, credited, paidOut: 0n, rests }));
    const rests = ledger.map((sum) => withoutCoins({ ...sum, more: sum.rests }));
    return reading.assets.flatMap((asset) => {
      const isIts = ({ contract }: { readonly contract: string }): boolean => contract === asset.contract;
      const sums = [...deposits, ...rests, ...payouts].filter(isIts);
      const books = ledger.filter(isIts);
      return deposits.some(isIts) ? [balanceOf({ operatorId: ALL_OPERATORS, reading, asset, sums, books })] : [];
    });
  });
}

/** The wallet of all deposits. Payments to a wallet that it had before are no part of it. */
async function depositSums(transaction: Transaction, reading: SharedReading): Promise<RawSums[]> {
  const { chain, sharedWallet, assets } = reading;
  const rows = await transaction.query<RawRow>({
    name: 'shared-deposit-sums',
    text: `select '${ALL_OPERATORS}' as "operatorId", asset.contract, known.raw::text as found, unbooked::text as more,
        unbooked::text as unbooked, may_be_in::text as "mayBeIn", may_be_out::text as "mayBeOut", known.height as "firstHeight",
        known.last_height as "lastHeight", (known.raw > 0)::int as addresses
      from unnest($2::text[]) as asset(contract)
      join crypto_balance known on known.chain = $1 and known.address = $3 and known.contract = asset.contract
      cross join lateral (select ${OUTPUT_SUMS}
        from crypto_output output where output.chain = $1 and output.contract = asset.contract and output.height is not null
          and not output.is_summed and split_part(output.address, '/', 1) = $3) sums`,
    values: [chain, assets.map(({ contract }) => contract), sharedWallet],
  });
  return rows.map(readRow);
}
