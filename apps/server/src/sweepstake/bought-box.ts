/** A coin box as a deposit asks for it, and as the deposit keeps it (SWP-1). */
import type { BoughtBox } from '@opencashier/contract/api';
import { type BoxRow, coinsView } from './box-store.ts';

/** The box as a deposit keeps it, as it was at the create; minor units as text. */
export interface StoredBox {
  readonly boxId: string;
  readonly gold: string;
  readonly sweep: string;
  /** One of a limited stock was set aside. */
  readonly isCounted: boolean;
}

export interface WantedBox {
  readonly boxId: string;
  /** The price on screen, in the request's currency; absent: whatever it is. */
  readonly price?: string | undefined;
}

/** The box as its deposit keeps it. */
export function storedBox({ boxId, gold, sweep, stock }: BoxRow): StoredBox {
  return { boxId, gold: String(gold), sweep: String(sweep), isCounted: stock !== null };
}

/** The coins of a bought box as decimal strings. */
export function boughtView({ boxId, gold, sweep }: StoredBox): BoughtBox {
  return coinsView({ boxId, gold: BigInt(gold), sweep: BigInt(sweep) });
}
