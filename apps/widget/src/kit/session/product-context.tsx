import type { MethodList } from '@opencashier/contract/api';
import type { Cancel } from '@opencashier/core/time/clock';
import { createContext, useContext } from 'react';
import type { Direction, Product } from './product.ts';

/** Code that is loaded later. */
export interface LoadPart {
  isLoaded(): boolean;
  load(): Promise<void>;
}

/** Loads screens before the user opens them. */
export interface ScreensAhead {
  /**
   * Loads what a list can open, when the page is idle. Answers a function that stops it.
   *
   * @param parts further parts of the forms that the list opens
   */
  load(list: MethodList, parts?: readonly LoadPart[]): Cancel;
  /** Loads the screen of an address at once, because the pointer is near what opens it. Draws it if it is loaded. */
  near(path: string): void;
  /** Drops the drawing, because the address would show something else now. */
  drop(): void;
}

/** The product, and the place of the current screen in it. */
export interface Place {
  readonly product: Product;
  readonly direction: Direction;
  /** Address of the list that this screen belongs to, such as `/deposit`. */
  readonly tree: string;
  readonly ahead: ScreensAhead;
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
