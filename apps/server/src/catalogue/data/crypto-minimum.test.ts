import { decimalsOf } from '@opencashier/core/money/currencies';
import { parseDecimal } from '@opencashier/core/money/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { networkOf } from '../../providers/sandbox/coins/networks.ts';
import { cryptoAnswer } from '../../providers/sandbox/flows/crypto.ts';
import type { FlowParts } from '../../providers/sandbox/flows/flow.ts';
import { textsOf } from '../../providers/sandbox/words/texts.ts';
import { bundledFiles } from '../bundled-files.ts';
import { createShippedCatalogue } from '../shipped-catalogue.fixture.ts';

const BOOK_DECIMALS = 8;
const catalogue = createShippedCatalogue(bundledFiles, (provider) => provider === 'sandbox');

/** Every coin, network and currency for a crypto deposit, with the method's minimum. */
const offers = catalogue.countries('demo').flatMap(({ code, currencies }) =>
  currencies.flatMap((currency) =>
    catalogue
      .list({ operatorId: 'demo', direction: 'deposit', country: code, currency, language: 'en' })
      .methods.flatMap(({ name, fields }) => {
        const method = catalogue.method({ operatorId: 'demo', name });
        const { flow, coin = 'USDT', network } = method?.providerOptions ?? {};
        const least = method?.amount_rules[currency]?.min;
        if (flow !== 'crypto' || least === undefined) return [];
        const asked = fields.find(({ type }) => type === 'networks');
        const networks = (asked?.props?.items ?? asked?.values ?? []).map(({ value }) => value);
        return (networks.length > 0 ? networks : [network ?? '']).map((chosen) => ({
          title: `${name} on ${chosen} in ${currency}`,
          currency,
          coin,
          network: chosen,
          least: minorOf(least, decimalsOf(currency)),
        }));
      }),
  ),
);

function minorOf(amount: string, decimals: number): bigint {
  const parsed = parseDecimal(amount, decimals);
  if (!parsed.ok) throw new Error(`${amount} is no amount`);
  return parsed.minor;
}

function answerTo({ coin, network, currency }: (typeof offers)[number], amountMinor: bigint) {
  const payment = { ref: 'pay_1', flow: 'crypto', currency, amountMinor, createdAt: 0 } as FlowParts['payment'];
  const { data } = cryptoAnswer({
    payment,
    deposit: { country: 'DE', fields: {}, providerOptions: { coin, network } },
    base: 'https://pay.example',
    merchantName: 'Shop',
    lifetimeSeconds: 3600,
    texts: textsOf('en'),
  });
  return data ?? {};
}

/** The amount in a QR code, in the ledger's unit; undefined for a code with only an address. */
function amountInCode(code: string, decimals: number): bigint | undefined {
  if (/^[A-Za-z0-9]+$/.test(code)) return undefined;
  const query = new URLSearchParams(code.split('?')[1]);
  const whole = query.get('amount');
  if (/^(?:bitcoin|litecoin|dogecoin|solana):/.test(code)) return minorOf(whole ?? '', BOOK_DECIMALS);
  const raw = BigInt(query.get('uint256') ?? query.get('value') ?? whole ?? '-1');
  return decimals >= BOOK_DECIMALS
    ? raw / 10n ** BigInt(decimals - BOOK_DECIMALS)
    : raw * 10n ** BigInt(BOOK_DECIMALS - decimals);
}

describe('[CRY-1] [CRY-5] the minimum is the same in the text, in the QR code and in the rule', () => {
  test('covers many coins, networks and currencies', () => {
    expect(new Set(offers.map(({ coin }) => coin)).size).toBeGreaterThanOrEqual(7);
    expect(new Set(offers.map(({ currency }) => currency)).size).toBeGreaterThanOrEqual(10);
  });

  test.each(offers)('$title', (offer) => {
    const decimals = networkOf(offer.network)?.decimals[offer.coin] ?? -1;
    fc.assert(
      fc.property(fc.bigInt(0n, offer.least * 20n), (more) => {
        const { minDepositValue = '', processingAmount, qrCodeText = '' } = answerTo(offer, offer.least + more);
        const shown = minorOf(minDepositValue, BOOK_DECIMALS);
        expect(processingAmount).toBe(minDepositValue);
        expect(amountInCode(qrCodeText, decimals) ?? shown).toBe(shown);
      }),
      { numRuns: 20 },
    );
  });
});
