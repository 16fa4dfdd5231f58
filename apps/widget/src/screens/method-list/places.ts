/**
 * Where the list shows what only the user's own answer tells. A list that the server drew is on the screen before that answer.
 * So nothing may be put above its methods later, unless a place was kept (UI-5).
 */
import type { MethodList } from '@opencashier/contract/api';
import { useEffect, useState } from 'react';
import { store } from '../../kit/session/browser-storage.ts';
import { useIsDrawing } from '../../kit/session/first-drawing.ts';

/** Above the methods, in a place that is kept above the methods, or below them. */
export type PartPlace = 'first' | 'kept' | 'last';

export interface Places {
  /** The drawing of the server is being taken over, so nothing of the user may be shown yet. */
  readonly isDrawing: boolean;
  readonly ofBonus: PartPlace;
  readonly ofRepeat: PartPlace;
  /** A notice on the user's balance. Below the methods it stays at the foot of the window. */
  readonly ofNotice: PartPlace;
}

/** Read by the script of index.html before the first paint: the page then has the attribute `data-again`. */
const rememberedKey = 'cashier.again';

/** @param hasBonus whether there are bonuses; at first, whether the address of the page says so */
export function usePlaces(hasBonus: boolean): Places {
  const isDrawing = useIsDrawing();
  const [drawn] = useState(() => (isDrawing ? { hasBonus } : undefined));
  if (drawn === undefined) return { isDrawing, ofBonus: 'first', ofRepeat: 'first', ofNotice: 'first' };
  const isKept = isDrawing || document.documentElement.dataset['again'] !== undefined;
  return {
    isDrawing,
    ofBonus: drawn.hasBonus ? 'first' : 'last',
    ofRepeat: isKept ? 'kept' : 'last',
    ofNotice: 'last',
  };
}

/** Remembers on this device whether the list begins with an offer to repeat a deposit (LIST-6). Nothing else is stored. */
export function useRememberedPlace({ balance }: MethodList, hasRepeat: boolean): void {
  // A list without a balance is of nobody.
  const isOfUser = balance !== undefined;
  useEffect(() => {
    if (isOfUser) store('localStorage', rememberedKey, hasRepeat ? '1' : undefined);
  }, [isOfUser, hasRepeat]);
}
