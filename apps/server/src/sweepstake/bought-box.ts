/** A coin box in the request and in the row of a deposit (SWP-1). */
import type { BoughtBox } from '@opencashier/contract/api';
import { type BoxRow, coinsView } from './box-store.ts';

/** The box in the deposit's row, as it was at the create call; minor units as text. */
export interface StoredBox {
  readonly boxId: string;
  readonly gold: string;
  readonly sweep: string;
  /** The deposit reserved one box of a limited stock. */
  readonly isCounted: boolean;
}

/** The box that a deposit request names. */
export interface RequestedBox {
  readonly boxId: string;
  /** The price on the screen, in the request's currency. Absent: any price is accepted. */
  readonly price?: string | undefined;
}

/** The box in the form that its deposit stores. */
export function storedBox({ boxId, gold, sweep, stock }: BoxRow): StoredBox {
  return { boxId, gold: String(gold), sweep: String(sweep), isCounted: stock !== null };
}

/** The coins of a bought box as decimal strings. */
export function boughtView({ boxId, gold, sweep }: StoredBox): BoughtBox {
  return coinsView({ boxId, gold: BigInt(gold), sweep: BigInt(sweep) });
}
