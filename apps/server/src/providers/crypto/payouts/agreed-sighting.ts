/** What all nodes of a chain show of a payout. */
import { NodeError } from '../chain/chain-source.ts';
import type { PayoutDraft, PayoutRail, SeenPayout, SoughtTransaction } from './payout-rail.ts';

interface AskedNodes {
  readonly rails: readonly [PayoutRail, ...PayoutRail[]];
  readonly required: number;
}

/**
 * What the chain shows. A sighting that ends the payout needs all nodes: one that lags may lack a transaction, and one that lies may
 * invent it.
 * @throws NodeError when a node does not answer, or they do not agree
 */
export async function agreedSighting(
  { rails, required }: AskedNodes,
  draft: PayoutDraft,
  slots: readonly string[],
  sought: readonly SoughtTransaction[],
): Promise<SeenPayout> {
  const [first, ...others] = rails;
  const seen = await first.look(draft, slots, sought, required);
  if (!isFinal(seen, required)) return seen;
  for (const other of others) {
    const { sighting } = await other.look(draft, slots, sought, required);
    if (!isSame(seen.sighting, sighting)) throw new NodeError('The nodes do not agree about a payout');
    if (!isFinal({ sighting }, required)) return { ...seen, sighting };
  }
  return seen;
}

const isFinal = ({ sighting }: SeenPayout, required: number): boolean =>
  sighting.kind === 'expired' ||
  (sighting.kind === 'mined' && sighting.depth >= required) ||
  (sighting.kind === 'missing' && sighting.spentDepth >= required);

function isSame(one: SeenPayout['sighting'], other: SeenPayout['sighting']): boolean {
  if (one.kind === 'mined' && other.kind === 'mined') return one.hash === other.hash && one.hasPaid === other.hasPaid;
  return one.kind === other.kind;
}
