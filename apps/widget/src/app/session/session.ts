/** Who uses the widget and where. Readable before React is there; the token is not in it. */
import type { Bonus, CallContext, PushBody } from '@opencashier/contract/api';
import type { HostPayload } from '@opencashier/contract/host';
import { createStore } from 'zustand/vanilla';
import type { Direction } from '../../kit/session/product.ts';
import type { ReadableStore, Region, Session } from '../../kit/session/services.tsx';
import type { SessionMemory, StoredUser } from './session-storage.ts';

/** §9: the currency when nobody names one. */
export const defaultCurrency = 'MXN';

export interface SessionControl {
  readonly store: ReadableStore<Session>;
  /** HOST-3: replaces the list of bonuses by the host's. */
  setBonuses(list: Bonus[]): void;
  /** NET-4: takes fresh data of the same user. */
  mergeLogin(login: PushBody<'login.token'>): void;
  /** Takes the region that the person chose (LIST-3). */
  chooseRegion(region: Region): void;
}

export interface SessionStart {
  readonly payload: HostPayload;
  readonly basePath: string;
  readonly forceLogging: boolean;
  /** The direction of the first address. */
  readonly direction: Direction;
  /** The account's currency in the token. It counts when the host names none. */
  readonly tokenCurrency?: string | undefined;
  /** Replaces what the host leaves out; given only when debugging is allowed (HOST-10). */
  readonly storedUser?: StoredUser | undefined;
  /** Keeps a chosen region over a reload (NAV-7). */
  readonly regions?: Pick<SessionMemory, 'region' | 'setRegion'> | undefined;
}

export function createSession({
  payload,
  basePath,
  forceLogging,
  direction,
  tokenCurrency,
  storedUser,
  regions,
}: SessionStart): SessionControl {
  const { token: _token, start, ...shown } = payload;
  const known = payload.currency ?? storedUser?.currency ?? tokenCurrency;
  const hosts: Region = { country: payload.paymentGeo, currency: known ?? defaultCurrency };
  const store = createStore<Session>(() => ({
    payload: { ...shown, ...(shown.userId === undefined && storedUser?.id !== undefined && { userId: storedUser.id }) },
    ...(start && {
      start: { ...start, currency: start.currency ?? known, direction: start.direction ?? direction },
    }),
    ...(regions?.region(hosts) ?? hosts),
    isNative: isNative(payload),
    basePath,
    forceLogging,
  }));
  return {
    store,
    chooseRegion(region) {
      regions?.setRegion(hosts, region);
      store.setState(region);
    },
    setBonuses: (bonusList) => store.setState(({ payload: held }) => ({ payload: { ...held, bonusList } })),
    mergeLogin(login) {
      // Ignore a push of another user: their data must not appear on this screen.
      const { payload: held, start: begun } = store.getState();
      if (login.id !== undefined && held.userId !== undefined && login.id !== held.userId) return;
      const { currency } = login;
      if (currency === undefined) return;
      // The start amount had no currency. It is in the currency of the account, which is known only now.
      store.setState({ currency, ...(begun && { start: { ...begun, currency: begun.currency ?? currency } }) });
    },
  };
}

/** HOST-13, NET-1: the two platforms that are apps. */
export function isNative(payload: Pick<HostPayload, 'platform'>): boolean {
  return payload.platform === 'android' || payload.platform === 'ios';
}

/** HOST-16: the context that every call carries. */
export function callContextOf({ payload, isNative: native }: Session, language: string, partner: string): CallContext {
  return {
    partnerKey: payload.partnerKey ?? partner,
    userId: payload.userId ?? '',
    xOrigin: payload.xOrigin ?? '',
    language,
    platform: payload.platform,
    isNative: native,
    pwa: payload.pwa,
    isMobileApp: payload.isMobileApp,
  };
}
