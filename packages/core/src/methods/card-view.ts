import type { CardViewTypeName } from '@opencashier/contract/api';

/** The codes of section 9: the page that a method's card opens (LIST-4). */
const NAME_OF_CODE: ReadonlyMap<unknown, CardViewTypeName> = new Map<unknown, CardViewTypeName>([
  [0, 'default'],
  [1, 'card'],
  [2, 'cardWalletOnly'],
  [3, 'india'],
  [4, 'cardMultipleType'],
  [5, 'p2p'],
  [6, 'pix'],
  [7, 'eazype'],
  [8, 'virtual'],
  [9, 'bankTransfer'],
  [13, 'onramp'],
  [20, 'cash'],
]);

/** The view type of a code. An unknown code means the default view. */
export function cardViewOfCode(code: unknown): CardViewTypeName {
  return NAME_OF_CODE.get(code) ?? 'default';
}

/** The kind of a method's badge (section 9). */
export type Badge = 'popular' | 'brand' | 'exclusive';

/** The badge of a method (LIST-2): its badge type if known, or else `popular`. */
export function badgeOf(method: {
  readonly badgeType?: number | undefined;
  readonly isPopular?: boolean | undefined;
}): Badge | undefined {
  if (method.badgeType === 2) return 'brand';
  if (method.badgeType === 8) return 'exclusive';
  return method.isPopular === true ? 'popular' : undefined;
}
