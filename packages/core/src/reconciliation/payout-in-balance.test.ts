import { expect, test } from 'vitest';
import { CHAIN_PAYOUT_MOVES, type ChainPayoutState } from '../chain-payout/chain-payout.ts';
import { payoutInBalance } from './payout-in-balance.ts';

const states = Object.keys(CHAIN_PAYOUT_MOVES) as ChainPayoutState[];

test('[SRV-1] [WD-2] a payout may have left its wallet in each state from which it can still be paid, once it has a slot', () => {
  const mayHaveLeft = states.filter((state) => payoutInBalance(state, false) === 'may-have-left');
  const canBePaid = states.filter((state) => state !== 'queued' && CHAIN_PAYOUT_MOVES[state].includes('confirmed'));
  expect(mayHaveLeft).toEqual(states.filter((state) => canBePaid.includes(state) || state === 'confirmed'));
});

test('[SRV-1] [WD-2] a reported payout costs a fee where a block has its transaction, and else nothing', () => {
  expect(states.filter((state) => payoutInBalance(state, true) === 'has-cost')).toEqual(['confirmed', 'failed']);
  expect(states.filter((state) => payoutInBalance(state, true) === 'may-have-left')).toEqual([]);
});
