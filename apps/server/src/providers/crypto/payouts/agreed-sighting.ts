/** What all nodes of a chain show of a payout. */
import { NodeError } from '../chain/chain-source.ts';
import type { PayoutDraft, PayoutRail, SeenPayout, SoughtTransaction } from './payout-rail.ts';

interface AskedNodes {
  readonly rails: readonly [Pick<PayoutRail, 'look'>, ...Pick<PayoutRail, 'look'>[]];
  readonly required: number;
}

/**
 * What the chain shows. A sighting that ends the payout needs all nodes: one that lags may lack a transaction, and one that lies may
 * invent it. Only such a sighting has a fee, on which all nodes that say it agree: the ledger keeps it for ever.
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
  if (!isFinal(seen, required)) return { sighting: seen.sighting };
  const fees = new Set([seen.fee]);
  for (const other of others) {
    const { sighting, fee } = await other.look(draft, slots, sought, required);
    fees.add(fee);
    if (!isSame(seen.sighting, sighting)) throw new NodeError('The nodes do not agree about a payout');
    if (!isFinal({ sighting }, required)) return { sighting };
  }
  fees.delete(undefined);
  const [fee] = fees;
  return { ...seen, fee: fees.size === 1 ? fee : undefined };
}

const isFinal = ({ sighting }: SeenPayout, required: number): boolean =>
  sighting.kind === 'expired' ||
  (sighting.kind === 'mined' && sighting.depth >= required) ||
  (sighting.kind === 'missing' && sighting.spentDepth >= required);

function isSame(one: SeenPayout['sighting'], other: SeenPayout['sighting']): boolean {
  if (one.kind === 'mined' && other.kind === 'mined') return one.hash === other.hash && one.hasPaid === other.hasPaid;
  return one.kind === other.kind;
}
