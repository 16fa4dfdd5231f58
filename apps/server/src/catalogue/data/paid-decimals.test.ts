/** Currencies without hundredths: the catalogue has the provider's decimals, and other amounts are refused (AMT-9). */
import { expect, test } from 'vitest';
import { validateDeposit } from '../../deposits/validate-deposit.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { noUserRules } from '../../operators/user-rules.ts';
import { ann, commandOf, createFakeProvider } from '../../payments/testing/payments.fixture.ts';
import { bundledFiles } from '../bundled-files.ts';
import { narrowedRule } from '../effective-catalogue.ts';
import { createShippedCatalogue } from '../shipped-catalogue.fixture.ts';

const rules = {
  USD: { min: '5', max: '500' },
  JPY: { min: '500', max: '90000' },
  KWD: { min: '1', max: '300' },
  UZS: { min: '1000', max: '900000', decimals: 0 },
};
const card = {
  name: 'card_far',
  group: 'card_method',
  provider: 'sandbox',
  directions: ['deposit'],
  countries: ['IN'],
  category: 'fiat',
  cardViewType: 1,
  text: { en: 'Card' },
  position: 1,
  iconIds: ['card'],
  fields: [],
  amount_rules: rules,
};
const catalogue = createShippedCatalogue({
  ...bundledFiles,
  countries: [{ code: 'IN', name: 'India', currencies: Object.keys(rules) }],
  methods: { 'methods/far.json': [card] },
});

const ruleOf = (currency: string) =>
  catalogue
    .list({ operatorId: 'op', direction: 'deposit', country: 'IN', currency, language: 'en' })
    .methods.find(({ name }) => name === card.name)?.amount_rules[currency];

test('[AMT-9] the list has the provider’s decimals when the amount field shows another number', () => {
  expect(ruleOf('USD')).toEqual(rules.USD);
  expect(ruleOf('JPY')).toEqual({ ...rules.JPY, decimals: 0 });
  expect(ruleOf('KWD')).toEqual({ ...rules.KWD, decimals: 3 });
  expect(ruleOf('UZS')).toEqual(rules.UZS);
});

test('[AMT-9] [SRV-4] an operator’s narrower limits keep the decimals', () => {
  expect(narrowedRule('UZS', rules.UZS, { min: '2000' })).toEqual({ ...rules.UZS, min: '2000' });
});

test('[AMT-9] [SRV-8] an amount that the provider cannot accept is refused', () => {
  const provider = createFakeProvider('sandbox');
  const codeOf = (amount: string, currency: string) => {
    const command = commandOf({ amount, currency, paymentType: card.name, selectedCountry: 'IN', fields: {} }, ann);
    try {
      validateDeposit(
        { catalogue, providers: new Map([[provider.name, provider]]), limitsOf: () => undefined },
        command,
        noUserRules,
      );
      return undefined;
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
  };
  expect(codeOf('1000', 'JPY')).toBeUndefined();
  expect(codeOf('1000.00', 'JPY')).toBeUndefined();
  expect(codeOf('1000.50', 'JPY')).toBe('invalid-request');
  expect(codeOf('5000.01', 'UZS')).toBe('invalid-request');
  expect(codeOf('12.55', 'KWD')).toBeUndefined();
  expect(codeOf('12.55', 'USD')).toBeUndefined();
});
