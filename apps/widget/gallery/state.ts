/** What the gallery shows: the widget at an address with services from plain values, or a component with its properties. */
import type { ReactNode } from 'react';
import type { Texts } from '../src/kit/session/services.tsx';
import type { FixtureServices } from '../src/kit/session/services-fixture.ts';

/** What a state may do once it is open, as a person would. It uses selectors, because texts change with the language. */
export interface StatePage {
  /** Advances the clock of the widget and lets promises settle. */
  pass(ms: number): Promise<void>;
  /** Waits until an element is there, for a part that is loaded later. */
  see(selector: string): Promise<void>;
  press(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
}

interface Named {
  /** `flows/pix/ready`: a flow, a screen or a component of `ui`, and then the state. */
  readonly id: string;
  /** The state is about waiting: it ends with a skeleton. Every other state ends without one. */
  readonly isWaiting?: true;
}

export interface WidgetState extends Named {
  /** Path below the base, with its query. */
  readonly at: string;
  readonly services: () => FixtureServices;
  /** Values that an earlier visit left in `sessionStorage` and in `localStorage`. */
  readonly tab?: Readonly<Record<string, string>>;
  readonly device?: Readonly<Record<string, string>>;
  /** The state of the entry of the history. */
  readonly handed?: unknown;
  readonly after?: (page: StatePage) => Promise<void>;
}

export interface ComponentState extends Named {
  readonly show: (texts: Texts) => ReactNode;
  readonly after?: (page: StatePage) => Promise<void>;
}

export type GalleryState = WidgetState | ComponentState;

/** The folder of a state. */
export const folderOf = (id: string): string => id.split('/').slice(0, 2).join('/');

/** The states of a folder by their short names. */
export function statesOf<State extends GalleryState>(
  folder: string,
  states: Readonly<Record<string, Omit<State, 'id'>>>,
): State[] {
  return Object.entries(states).map(([name, state]) => ({ ...state, id: `${folder}/${name}` }) as State);
}
