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

/** Client state as its readers see it: a store of zustand without the right to change it. It can be read before React is there. */
export interface ReadableStore<Value> {
  getState(): Value;
  subscribe(listener: () => void): () => void;
}

/** Who uses the widget and where, without the token: that stays in the transport. */
export interface Session {
  readonly payload: Omit<HostPayload, 'token' | 'start'>;
  /** What the host wants to begin with (HOST-2). */
  readonly start?: HostStart;
  /** The chosen region; starts as the payload's paymentGeo (LIST-3). */
  readonly country: string;
  /** The currency the person pays in. */
  readonly currency: string;
  /** The coin box that is being bought: methods are those by which it can be (SWP-1). */
  readonly boxId?: string;
  readonly isNative: boolean;
  /** First path segment of every address, with its slash: `/opencashier`. */
  readonly basePath: string;
  /** Whether technical detail may be shown, such as a stack on the error page (HOST-9, NAV-5). */
  readonly forceLogging: boolean;
}

/** It counts in one direction alone, and its amount in one currency alone: in another it would be another amount. */
export interface HostStart {
  readonly method?: string | undefined;
  readonly amount?: string | undefined;
  /** Undefined until the host or the list names it. */
  readonly currency: string | undefined;
  readonly direction: Direction;
}

/** The texts of one locale. A new object for every locale, so that a change is seen. */
export interface Texts {
  /** As in the locale file's name: `en`, `ar`, `hi-Latn-IN`. */
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  /** The locale for Intl number and date formats. */
  readonly formatLocale: string;
  /** The text of a key with `{name}` or `{0}` filled in; a missing key gives the English text and tells the host (ERR-6). */
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
  /** Answers of calls, by the keys of `api/fetch-methods.ts`; the first method list is on its way in it before React is there. */
  readonly queries: QueryClient;
  readonly clock: Clock;
  readonly navigation: Navigation;
  /**
   * Says what runs when the host sends `close` (HOST-4); answers how to take it back. The last one registered runs. Without
   * one the widget answers `close` at once.
   */
  onHostClose(handle: () => void): () => void;
  /** Tells the host; a display hint, never the truth. Answers whether something was there to take it. */
  post(message: WidgetMessage): boolean;
  notify(notification: Notification): void;
  /** Chooses a region and what people pay with there; the catalogue is asked again (LIST-3). */
  chooseRegion(region: Region): void;
  /** Runs when the widget is being closed, before the host is told; answers how to leave it out again (HOST-4, DEP-9). */
  whenClosing(run: () => void): () => void;
  /** Closes the widget as the close button does: finishes what must be finished, then tells the host. */
  close(): void;
  /** Notes a measured thing for analytics and the host (NET-8). */
  metric(key: string, value: number | boolean | string): void;
}

/** What boot hands over. The page itself brings the rest: its history, its snackbar and closing. */
export type ServicesFromBoot = Omit<Services, 'navigation' | 'notify' | 'whenClosing' | 'close'>;

const ServicesContext = createContext<Services | undefined>(undefined);
export const ServicesProvider = ServicesContext.Provider;

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('A screen was rendered outside ServicesProvider.');
  return services;
}

/**
 * The value of a store, drawn again when it changes. Not zustand's own hook: on the server that one draws the first value of
 * the store, and the first screen must show the texts that were loaded since.
 */
export function useStore<Value>(store: ReadableStore<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.getState, store.getState);
}

export const useSession = (): Session => useStore(useServices().session);
export const useTexts = (): Texts => useStore(useServices().texts);
