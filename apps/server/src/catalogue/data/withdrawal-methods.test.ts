/** Every shipped withdrawal method is complete and passes the server's own rules. */
import { randomUUID } from 'node:crypto';
import { checkedNetwork } from '@opencashier/core/crypto/address-check';
import { nubanCheckDigit } from '@opencashier/core/fields/account-number';
import { methodLimits } from '@opencashier/core/limits/limits';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { describe, expect, test } from 'vitest';
import { noUserRules } from '../../operators/user-rules.ts';
import type { Provider } from '../../providers/provider.ts';
import { validateWithdrawal } from '../../withdrawals/validate-withdrawal.ts';
import { bundledFiles } from '../bundled-files.ts';
import type { CatalogueMethod } from '../catalogue.ts';
import { createShippedCatalogue } from '../shipped-catalogue.fixture.ts';
import { sampleFields } from './withdrawal-samples.fixture.ts';

/** The provider must only be able to pay out. */
const provider = { name: 'sandbox', withdrawals: {} } as Provider;
const catalogue = createShippedCatalogue(bundledFiles);
const list = (country: string, currency: string, language = 'en') =>
  catalogue.list({ operatorId: 'demo', direction: 'withdrawal', country, currency, language });
const countries = catalogue.countries('demo');
const names = new Set(
  countries.flatMap(({ code, currencies }) =>
    currencies.flatMap((currency) => list(code, currency).methods.map(({ name }) => name)),
  ),
);
const methods = [...names].flatMap((name): CatalogueMethod[] => {
  const method = catalogue.method({ operatorId: 'demo', name });
  return method === undefined ? [] : [method];
});
const methodNamed = (name: string): CatalogueMethod => {
  const found = methods.find((method) => method.name === name);
  if (found === undefined) throw new Error(`No withdrawal method is called ${name}.`);
  return found;
};

describe('the shipped withdrawal methods', () => {
  test('[WD-1] are many, in every country, in English and Arabic', () => {
    expect(methods.length).toBeGreaterThanOrEqual(30);
    expect(
      new Set(
        countries.flatMap(({ code, currencies }) => list(code, currencies[0] ?? '').groups.map(({ name }) => name)),
      ).size,
    ).toBeGreaterThanOrEqual(8);
    // The countries with local methods come first in the file.
    for (const { code, currencies } of countries.slice(0, 13)) {
      const local = list(code, currencies[0] ?? '').methods;
      expect(local.filter(({ category }) => category !== 'crypto').length, code).toBeGreaterThanOrEqual(2);
      expect(local.filter(({ category }) => category === 'crypto').length, code).toBe(11);
    }
    for (const { name, text, description, fields } of methods) {
      expect([text['ar'], description?.['ar']].every(Boolean), name).toBe(true);
      for (const field of fields) expect(field.props?.label, `${name}.${field.name}`).toBeTruthy();
    }
  });

  test('[WD-1] list at least 24 banks of Nigeria by code, each once, as the items of one field', () => {
    const field = methodNamed('nigerian_banks').fields.find(({ category }) => category === 'bank');
    const banks = field?.values ?? [];
    expect(banks.length).toBeGreaterThanOrEqual(24);
    expect(new Set(banks.map(({ value }) => value)).size).toBe(banks.length);
    expect(banks.filter(({ value }) => /^\d{3}$/.test(value)).length).toBeGreaterThanOrEqual(24);
    const codeOf = (name: string) => banks.find(({ text }) => text.startsWith(name))?.value;
    // Deposit money banks of the last years, by the central bank's codes.
    expect(['Titan', 'Globus', 'Parallex', 'PremiumTrust', 'Signature', 'Optimus'].map(codeOf)).toEqual(
      Array.from({ length: 6 }, (_, index) => String(102 + index)),
    );
    // An institution that is not a deposit money bank has an NIBSS institution code.
    expect(banks.filter(({ value }) => !/^\d{3}$/.test(value))).toEqual([
      { text: 'FairMoney Microfinance Bank', value: '090551' },
      { text: 'Kuda Microfinance Bank', value: '090267' },
      { text: 'Moniepoint Microfinance Bank', value: '090405' },
      { text: 'OPay', value: '100004' },
      { text: 'PalmPay', value: '100033' },
    ]);
    const texts = banks.map(({ text }) => text);
    expect(texts).toEqual([...texts].sort((one, other) => one.localeCompare(other, 'en')));
  });

  test('pay coins only to networks whose addresses can be checked, and list each network once per coin', () => {
    const coins = methods.filter(({ category }) => category === 'crypto');
    expect(new Set(coins.map(({ network }) => checkedNetwork(network ?? ''))).size).toBe(8);
    expect(new Set(coins.map(({ network, iconIds }) => `${network} ${iconIds}`)).size).toBe(coins.length);
  });
});

type Command = Parameters<typeof validateWithdrawal>[1];

/** Validates a request on the server, with an account balance above every amount. */
function validate(method: CatalogueMethod, currency: string, fields: Record<string, string>) {
  const country =
    method.countries.find((code) => countries.find((entry) => entry.code === code)?.currencies.includes(currency)) ??
    method.countries[0] ??
    '';
  const { max = 0n } = methodLimits({ currency, rule: method.amount_rules[currency], country });
  const amount = toDecimalString(max, decimalsOf(currency));
  const request: Command['request'] = {
    withdrawalId: randomUUID(),
    amount,
    currency,
    paymentMethod: method.name,
    fields,
    accountType: 'main',
    selectedCountry: country,
  };
  const caller = { operatorId: 'demo', partnerKey: 'demo', userId: 'somebody', currency, country };
  return validateWithdrawal(
    { catalogue, providers: new Map([['sandbox', provider]]), limitsOf: () => undefined },
    { caller, request },
    max,
    noUserRules,
  );
}

test('[WD-2] each accepts valid fields and refuses missing ones, in every one of its currencies', () => {
  // A method that pays to cards which paid has no form. The user chooses a card.
  for (const method of methods.filter(({ flags }) => flags.paysToPaidCards !== true)) {
    const fields = sampleFields(method);
    for (const currency of Object.keys(method.amount_rules)) {
      const what = `${method.name} in ${currency}`;
      expect(() => validate(method, currency, fields), what).not.toThrow();
      const valid = validate(method, currency, fields);
      expect(Object.keys(valid.fields).length, what).toBeGreaterThan(0);
      expect(valid.feeMinor, what).toBeLessThan(valid.amountMinor);
      expect(() => validate(method, currency, {}), what).toThrow('A field does not pass its rule');
    }
  }
});

describe('[FORM-4] an account number with a wrong check digit is refused', () => {
  const nuban = `000001457${(Number(nubanCheckDigit('058', '000001457')) + 1) % 10}`;
  test.each([
    ['nigerian_banks', { bank: '058', accountNumber: nuban }, 'form.nuban.invalid'],
    ['sepa_withdrawal', { iban: 'DE89 3704 0044 0532 0130 01' }, 'form.iban.invalid'],
    ['sepa_withdrawal', { iban: 'TR33 0006 1005 1978 6457 8413 26' }, 'form.iban.sepa'],
    ['sepa_instant_withdrawal', { iban: 'KZ86 125K ZT50 0410 0100' }, 'form.iban.sepa'],
    ['sepa_withdrawal', { iban: 'US89 3704 0044 0532 0130 00' }, 'form.iban.country'],
    ['sepa_withdrawal', { iban: 'DE89 3704 0044 0532 0130 0' }, 'paymentMethods.regex_error.iban'],
    ['havale_withdrawal', { iban: 'TR33 0006 1005 1978 6457 8413 62' }, 'form.iban.invalid'],
    ['spei_withdrawal', { clabe: '002 010 07777777777 2' }, 'form.clabe.invalid'],
    ['picpay_withdrawal', { cpf: '529.982.247-52' }, 'form.cpf.invalid'],
    ['card_withdrawal', { cardNumber: '4111 1111 1111 1112' }, 'form.cardNumber.invalid'],
  ])('%s', (name, typed, key) => {
    const method = methodNamed(name);
    const currency = Object.keys(method.amount_rules)[0] ?? '';
    try {
      validate(method, currency, { ...sampleFields(method), ...typed });
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'banking.paymentMethodRegex', details: { fields: [{ message: key }] } });
    }
  });
});
