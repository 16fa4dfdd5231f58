import { type Balance, balancesGet, type FiatValue } from '@opencashier/contract/api';
import { convert } from '@opencashier/core/money/conversion';
import {
  type Currency,
  DEFAULT_CRYPTO_CURRENCY,
  DEFAULT_FIAT_CURRENCY,
  findCurrency,
} from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { DomainError } from '../../errors/domain-error.ts';
import { userBalances } from '../../ledger/ledger.ts';
import { presentWalletMode } from '../../operator-wallet/wallet-mode.ts';
import type { RateSource } from '../../rates/rate-source.ts';
import type { WantedBalance } from '../../wallet-calls/wallet-balance.ts';
import { answer } from '../handler/call.ts';
import type { Services } from '../handler/services.ts';

/** The user's balances in every currency that can be chosen there (CRY-3). Rates are fetched outside of any transaction. */
export const balancesGetHandler = answer(balancesGet, async (request, { caller }, services) => {
  const { catalogue, clock, database, rates } = services;
  const { operatorId, userId } = caller;
  const country = request.country ?? caller.country;
  const account = findCurrency(caller.currency);
  const valueIn = findCurrency(request.currency ?? (isOf('fiat', account) ? account.code : DEFAULT_FIAT_CURRENCY));
  if (!isOf('fiat', valueIn)) {
    const fields = [{ path: 'currency', message: 'Give a fiat currency, such as USD.' }];
    throw new DomainError('invalid-request', 'Balances are valued only in a fiat currency.', { fields });
  }
  const mode = await presentWalletMode(database, operatorId);
  if (mode === 'pass-through') throw new DomainError('method-unavailable', 'The operator keeps the balances itself.');
  const held = mode === 'cashier' ? await userBalances(database, operatorId, userId) : new Map<string, bigint>();
  const balanceOf = async (code: string): Promise<bigint> =>
    mode === 'cashier' ? (held.get(code) ?? 0n) : inWallet({ operatorId, userId, currency: code }, services);
  const offered = catalogue.countries(operatorId).find(({ code }) => code === country)?.currencies ?? [];
  const codes = [caller.currency, ...offered, DEFAULT_FIAT_CURRENCY, DEFAULT_CRYPTO_CURRENCY, ...held.keys()];
  const now = clock.now();
  const balances = [...new Set(codes)].map(async (code): Promise<Balance[]> => {
    const currency = findCurrency(code);
    if (currency === undefined) return [];
    const { kind, decimals } = currency;
    if (kind !== 'fiat' && kind !== 'crypto') return [];
    const minor = await balanceOf(code);
    const fiatValue = code === valueIn.code ? undefined : await fiatValueOf(code, minor, valueIn, rates, now);
    return [{ currency: code, kind, balance: toDecimalString(minor, decimals), ...(fiatValue && { fiatValue }) }];
  });
  return { currency: valueIn.code, balances: (await Promise.all(balances)).flat() };
});

/** A missing balance would be shown as zero, so without all of them there is no answer. */
async function inWallet(
  wanted: WantedBalance,
  { walletBalanceOf }: Pick<Services, 'walletBalanceOf'>,
): Promise<bigint> {
  const minor = await walletBalanceOf(wanted);
  if (minor !== undefined) return minor;
  throw new DomainError('temporarily-unavailable', 'The operator did not tell the balance in time.', {
    retryAfterSeconds: 5,
  });
}

function isOf(kind: Currency['kind'], currency: Currency | undefined): currency is Currency {
  return currency?.kind === kind;
}

async function fiatValueOf(
  currency: string,
  minor: bigint,
  valueIn: Currency,
  rates: RateSource,
  now: number,
): Promise<FiatValue | undefined> {
  const quote = await rates.quote(currency, valueIn.code);
  if (quote === 'none') return undefined;
  const { minor: value } = convert({ currency, minor }, valueIn.code, quote.rate, 'down');
  return {
    amount: toDecimalString(value, valueIn.decimals),
    currency: valueIn.code,
    rateAt: new Date(quote.at).toISOString(),
    isStale: quote.isStale,
    freshForSeconds: quote.isStale ? 0 : Math.max(0, Math.floor((quote.staleAt - now) / 1_000)),
  };
}
