import { type NetworkFee, networkFeeLines } from '@opencashier/core/chain-payout/network-fee';
import type { Transaction } from '../database/database.ts';
import { postJournal } from './ledger.ts';

/** Books what a network took for a payout of coins (WD-2), once per payout. The payout must have the same fee at the commit. */
export async function bookNetworkFee(
  transaction: Transaction,
  { operatorId, withdrawalId, provider, asset, minor, hash }: NetworkFee,
): Promise<void> {
  const lines = networkFeeLines(provider, asset, minor);
  if (lines.length === 0) return;
  const fact = { source: 'coin-payout', ref: withdrawalId, note: hash };
  await postJournal(transaction, { operatorId, kind: 'network_fee', withdrawalId, ...fact, lines });
}
