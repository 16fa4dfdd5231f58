/** The shown currency of each kind, where a user has balances in fiat money and in coins (CRY-3). */
import type { Balance } from '@opencashier/contract/api';
import { DEFAULT_CRYPTO_CURRENCY, DEFAULT_FIAT_CURRENCY, isCrypto } from '@opencashier/core/money/currencies';
import { useEffect } from 'react';
import { readStored, store } from '../session/browser-storage.ts';
import { type Session, useServices, useSession } from '../session/services.tsx';

export type BalanceKind = Balance['kind'];

/** One key for each kind. Only codes of currencies are stored, nothing that identifies the user. */
const keys: Readonly<Record<BalanceKind, string>> = { fiat: 'cashier.fiat', crypto: 'cashier.crypto' };
const defaults: Readonly<Record<BalanceKind, string>> = {
  fiat: DEFAULT_FIAT_CURRENCY,
  crypto: DEFAULT_CRYPTO_CURRENCY,
};

export const kindOf = (currency: string): BalanceKind => (isCrypto(currency) ? 'crypto' : 'fiat');

/**
 * The currency to show for a kind of balance. It is the first of these that is of this kind: the session's currency, the last
 * choice in this tab, the host's currency. Otherwise it is the default of the cashier (§9).
 */
export function currencyOfKind(kind: BalanceKind, { currency, payload }: Session): string {
  // A choice made under another currency of the host belongs to another account.
  const [hosts, chosen] = readStored('sessionStorage', keys[kind])?.split(' ') ?? [];
  const known = [currency, hosts === wordOf(payload) ? chosen : undefined, payload.currency];
  return (
    known.find((code) => code !== undefined && /^[A-Z0-9]{2,10}$/.test(code) && kindOf(code) === kind) ?? defaults[kind]
  );
}

/**
 * Switches the session to a currency of this kind, and remembers it over a reload (NAV-7).
 * @param among the possible currencies, where not all are
 * @returns undefined until the session has switched
 */
export function useCurrencyOfKind(kind: BalanceKind, among?: readonly string[]): string | undefined {
  const { chooseRegion } = useServices();
  const session = useSession();
  const { country, currency } = session;
  const hosts = wordOf(session.payload);
  const preferred = currencyOfKind(kind, session);
  const wanted =
    among === undefined || among.length === 0 || among.includes(preferred) ? preferred : (among[0] ?? preferred);
  useEffect(() => {
    store('sessionStorage', keys[kind], `${hosts} ${wanted}`);
    if (currency !== wanted) chooseRegion({ country, currency: wanted });
  }, [kind, wanted, currency, country, hosts, chooseRegion]);
  return currency === wanted ? currency : undefined;
}

const wordOf = ({ currency = '-' }: Session['payload']): string => currency;
