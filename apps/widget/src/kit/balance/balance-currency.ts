/** Which currency of each kind a person looks at where money of states and coins stand side by side (CRY-3). */
import type { Balance } from '@opencashier/contract/api';
import { DEFAULT_CRYPTO_CURRENCY, DEFAULT_FIAT_CURRENCY, isCrypto } from '@opencashier/core/money/currencies';
import { useEffect } from 'react';
import { readStored, store } from '../session/browser-storage.ts';
import { type Session, useServices, useSession } from '../session/services.tsx';

export type BalanceKind = Balance['kind'];

/** One for each kind. Codes of currencies, nothing that tells who the person is. */
const keys: Readonly<Record<BalanceKind, string>> = { fiat: 'cashier.fiat', crypto: 'cashier.crypto' };
const defaults: Readonly<Record<BalanceKind, string>> = {
  fiat: DEFAULT_FIAT_CURRENCY,
  crypto: DEFAULT_CRYPTO_CURRENCY,
};

export const kindOf = (currency: string): BalanceKind => (isCrypto(currency) ? 'crypto' : 'fiat');

/**
 * The currency to show for a kind of balance, if the payment's own currency is of this kind. Otherwise the last choice in this
 * tab. Otherwise the host's currency, and at last the default of the cashier (§9).
 */
export function currencyOfKind(kind: BalanceKind, { currency, payload }: Session): string {
  // What was chosen under another host's currency was another account's affair.
  const [hosts, chosen] = readStored('sessionStorage', keys[kind])?.split(' ') ?? [];
  const known = [currency, hosts === wordOf(payload) ? chosen : undefined, payload.currency];
  return (
    known.find((code) => code !== undefined && /^[A-Z0-9]{2,10}$/.test(code) && kindOf(code) === kind) ?? defaults[kind]
  );
}

/**
 * Sees to it that what is paid in is of a kind, and remembers it over a reload (NAV-7).
 * @param among what comes into question, where not everything does
 * @returns undefined until it is
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
