/**
 * What a screen may use beside its props. The folder `app` builds the services once and provides them. Flows and screens reach
 * them only through the hooks below, so a test can render each of them from plain values.
 */
import type { HostPayload, WidgetMessage } from '@opencashier/contract/host';
import type { Clock } from '@opencashier/core/time/clock';
import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { ApiClient } from '../../api/client.ts';
import type { Direction } from './product.ts';

/** A zustand store without the functions that change it. It can be read before React is loaded. */
export interface ReadableStore<Value> {
  getState(): Value;
  subscribe(listener: () => void): () => void;
  /** The value with which the server drew the page, if it was another one. React continues the drawing from it. */
  getServerState?(): Value;
}

/** Who uses the widget and where, without the token: that stays in the transport. */
export interface Session {
  readonly payload: Omit<HostPayload, 'token' | 'start'>;
  /** The host's start values (HOST-2). */
  readonly start?: HostStart;
  /** The chosen region; starts as the payload's paymentGeo (LIST-3). */
  readonly country: string;
  /** The currency in which the user pays. */
  readonly currency: string;
  /** The coin box that the user buys. The catalogue then has only methods that can buy it (SWP-1). */
  readonly boxId?: string;
  readonly isNative: boolean;
  /** First path segment of every address, with its slash: `/opencashier`. */
  readonly basePath: string;
  /** Whether technical detail may be shown, such as a stack on the error page (HOST-9, NAV-5). */
  readonly forceLogging: boolean;
}

/**
 * The host's start values hold for one direction. The amount holds for one currency, because in another it would be another
 * amount.
 */
export interface HostStart {
  readonly method?: string | undefined;
  readonly amount?: string | undefined;
  /** Undefined until the host or the list names it. */
  readonly currency: string | undefined;
  readonly direction: Direction;
}

/** The texts of one locale. Every locale has a new object, so that React sees the change. */
export interface Texts {
  /** As in the locale file's name: `en`, `ar`, `hi-Latn-IN`. */
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  /** The locale for Intl number and date formats. */
  readonly formatLocale: string;
  /**
   * The text of a key with `{name}` or `{0}` filled in. A number is written by the locale, and chooses the plural form. For a
   * missing key it is the English text, and the host gets an error (ERR-6).
   */
  translate(key: string, params?: Readonly<Record<string, string | number>>): string;
  /** Whether the locale or English has the key; for server-sent keys. */
  has(key: string): boolean;
  /** Picks this locale's text of a server-sent map by language, else English. */
  pick(texts: Readonly<Record<string, string>> | undefined): string;
}

export interface Notification {
  readonly kind: 'error' | 'info' | 'success';
  /** Ready text; shown as text, never as HTML. */
  readonly text: string;
}

export interface Navigation {
  /** Path inside the product, such as `/deposit/redirect/card_visa`. */
  go(path: string, options?: { replace?: boolean; state?: unknown }): void;
  /** The previous entry of the history, or `fallback` when there is none. */
  back(fallback: string): void;
}

/** A choice of the region selector. */
export interface Region {
  readonly country: string;
  readonly currency: string;
}

export interface Services {
  readonly session: ReadableStore<Session>;
  readonly texts: ReadableStore<Texts>;
  readonly api: ApiClient;
  /** The cache of answers, by the keys of `api/fetch-methods.ts`. It requests the first list of methods before React is loaded. */
  readonly queries: QueryClient;
  readonly clock: Clock;
  /**
   * The first screen is drawn by the server, for such a device. React must draw the same before anything else
   * (`first-drawing.ts`).
   */
  readonly drawnFor?: 'phone' | 'desktop';
  readonly navigation: Navigation;
  /**
   * Registers a function for the host's `close` (HOST-4), and answers a function that unregisters it. Only the last registered
   * function runs. Without one the widget answers `close` at once.
   */
  onHostClose(handle: () => void): () => void;
  /** Sends a message to the host, as a display hint. Answers whether there was a channel to send it. */
  post(message: WidgetMessage): boolean;
  notify(notification: Notification): void;
  /** Chooses a region and its currency. The catalogue is loaded again (LIST-3). */
  chooseRegion(region: Region): void;
  /**
   * Registers a function that runs when the widget closes, before the host is told (HOST-4, DEP-9). Answers a function that
   * unregisters it.
   */
  whenClosing(run: () => void): () => void;
  /** Closes the widget as the close button does: finishes what must be finished, then tells the host. */
  close(): void;
  /** Records a metric for analytics and the host (NET-8). */
  metric(key: string, value: number | boolean | string): void;
}

/** The services that boot creates. The page adds navigation, notifications and closing. */
export type ServicesFromBoot = Omit<Services, 'navigation' | 'notify' | 'whenClosing' | 'close'>;

const ServicesContext = createContext<Services | undefined>(undefined);
export const ServicesProvider = ServicesContext.Provider;

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('A screen was rendered outside ServicesProvider.');
  return services;
}

/**
 * The value of a store; a change renders again. This is not zustand's own hook, which draws the store's first value on the
 * server. The first screen must show the texts that were loaded later.
 */
export function useStore<Value>(store: ReadableStore<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.getState, store.getServerState ?? store.getState);
}

export const useSession = (): Session => useStore(useServices().session);
export const useTexts = (): Texts => useStore(useServices().texts);
