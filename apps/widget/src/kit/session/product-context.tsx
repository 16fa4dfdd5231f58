import { createContext, useContext } from 'react';
import type { Direction, Product } from './product.ts';

/** The product, and the place of the current screen in it. */
export interface Place {
  readonly product: Product;
  readonly direction: Direction;
  /** Address of the list that this screen belongs to, such as `/deposit`. */
  readonly tree: string;
}

const PlaceContext = createContext<Place | undefined>(undefined);
export const PlaceProvider = PlaceContext.Provider;

export function usePlace(): Place {
  const place = useContext(PlaceContext);
  if (!place) throw new Error('A screen was rendered outside PlaceProvider.');
  return place;
}

/** Address of the screen that shows the status of a deposit. */
export const completePath = (tree: string, depositId: string, method: string): string =>
  `${tree}/complete?${new URLSearchParams({ depositId, method })}`;
