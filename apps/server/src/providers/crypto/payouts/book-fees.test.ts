/** Fees that nodes do not say. The fees that are booked are in the acceptance tests. */
import { expect, test } from 'vitest';
import { NodeError, NodeSilenceError } from '../chain/chain-source.ts';
import { bookFees, type FeeDue } from './book-fees.ts';
import type { PayoutRail } from './payout-rail.ts';

const dueOf = (hash: string): FeeDue => ({
  operatorId: 'op',
  withdrawalId: hash,
  contract: '',
  address: '',
  raw: 1n,
  hash,
  unsigned: '',
  slots: [],
  fee: undefined,
});

/** @returns the hashes of the fees that were booked, of `first` and `second` */
async function booked(first: Error): Promise<{ readonly hashes: string[]; readonly thrown: unknown }> {
  const hashes: string[] = [];
  const look: PayoutRail['look'] = async (_draft, _slots, [sought]) => {
    if (sought?.hash === 'first') throw first;
    return { sighting: { kind: 'mined', hash: 'second', depth: 1, hasPaid: true }, fee: 7n };
  };
  const fees = {
    due: async () => [dueOf('first'), dueOf('second')],
    book: async ({ hash }: FeeDue) => hashes.push(hash) > 0,
  };
  const feeCoin = { coin: 'ETH', decimals: 18 };
  const wallet = { chain: 'ethereum', rails: [{ wallet: '0x', look }] as const, required: 1, feeCoin };
  const thrown = await bookFees(wallet, fees, 10).catch((error: unknown) => error);
  return { hashes, thrown };
}

test('[WD-2] a fee that a node refuses to say holds up no other, and is an error all the same', async () => {
  const refusal = new NodeError('no seqno');
  expect(await booked(refusal)).toEqual({ hashes: ['second'], thrown: refusal });
});

test('[WD-2] a node that is silent, and a fault of our own, are asked about no further fee', async () => {
  for (const error of [new NodeSilenceError('no answer'), new RangeError('negative')])
    expect(await booked(error)).toEqual({ hashes: [], thrown: error });
});
