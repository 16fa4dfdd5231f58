/** What a provider pays to the bank in one sum: many payments, less refunds, chargebacks and fees. */
import type { LedgerEntry, SettlementLine } from './line.ts';

/** One line with the provider's id of the sum that it belongs to. */
export interface BatchedLine extends Pick<SettlementLine, 'kind' | 'currency' | 'amount' | 'fee' | 'date'> {
  readonly batch: string;
}

/** Adds lines to the sums of their batches, so that a file of any length needs memory for its batches alone. */
export function createBatchSums() {
  const sums = new Map<string, { readonly batch: string; readonly currency: string; net: bigint; date: string }>();
  return {
    /** A settlement line reports the sum itself, so it does not count as a part of it. */
    add({ kind, batch, currency, amount, fee, date }: BatchedLine): void {
      if (kind === 'settlement') return;
      const key = `${batch}\0${currency}`;
      const sum = sums.get(key) ?? { batch, currency, net: 0n, date };
      sum.net += amount - fee;
      if (date > sum.date) sum.date = date;
      sums.set(key, sum);
    },
    /** A line of a bank statement is matched with these, as with other entries. */
    entries: (): LedgerEntry[] =>
      [...sums.values()]
        .filter(({ net }) => net !== 0n)
        .map(({ batch, currency, net, date }) => ({
          id: `${batch}:${currency}`,
          kind: 'settlement',
          reference: batch,
          ownIds: [],
          currency,
          amount: net,
          date,
        })),
  };
}
