/** Nodes must agree on what a payout cost, because the ledger keeps it for ever. */
import { expect, test } from 'vitest';
import { NodeError } from '../chain/chain-source.ts';
import { agreedSighting } from './agreed-sighting.ts';
import { bookFees, type FeeBook, type FeeDue } from './book-fees.ts';
import type { PayoutRail, SeenPayout } from './payout-rail.ts';

const draft = { contract: '', address: '0xab', raw: 5n };
const sought = [{ unsigned: '', hash: '0x01' }];
const railOf = (fee: bigint | undefined, depth = 3): Pick<PayoutRail, 'look' | 'wallet'> => ({
  wallet: '0xcd',
  look: async (): Promise<SeenPayout> => ({ sighting: { kind: 'mined', hash: '0x01', depth, hasPaid: true }, fee }),
});

test.each([
  ['one node says it', [7n], 7n],
  ['all nodes say it', [7n, 7n, 7n], 7n],
  ['only the second node says it', [undefined, 7n], 7n],
  ['two nodes say another one', [7n, 8n], undefined],
  ['the last two say another one', [undefined, 7n, 8n], undefined],
  ['no node says it', [undefined, undefined], undefined],
])('[WD-2] the fee of a payout when %s', async (_when, [first, ...others], fee) => {
  const rails = [railOf(first), ...others.map((other) => railOf(other))] as const;
  expect(await agreedSighting({ rails, required: 3 }, draft, ['1'], sought)).toMatchObject({
    sighting: { kind: 'mined', hasPaid: true },
    fee,
  });
});

test('[WD-2] a sighting that ends nothing has no fee yet, and one node is not believed', async () => {
  for (const rails of [[railOf(7n, 2)], [railOf(7n), railOf(7n, 2)]] as const) {
    const seen = await agreedSighting({ rails, required: 3 }, draft, ['1'], sought);
    expect(seen.fee).toBeUndefined();
    expect(seen.sighting).toMatchObject({ kind: 'mined', depth: 2 });
  }
});

test('[WD-2] an impossible fee is not booked, and holds up no other one', async () => {
  const due: FeeDue = {
    ...draft,
    operatorId: 'op',
    withdrawalId: 'w',
    hash: '0x01',
    unsigned: '',
    slots: ['1'],
    fee: 2n ** 255n,
  };
  const booked: bigint[] = [];
  const fees: Pick<FeeBook, 'due' | 'book'> = {
    due: async () => [due, { ...due, fee: 7n }],
    book: async (_due, raw) => {
      booked.push(raw);
      return true;
    },
  };
  const wallet = {
    chain: 'ethereum',
    rails: [railOf(7n)] as const,
    required: 3,
    feeCoin: { coin: 'ETH', decimals: 18 },
  };
  await expect(bookFees(wallet, fees, 50)).rejects.toThrow(NodeError);
  expect(booked).toEqual([7n]);
});
