/** Compares the server's checks with the widget's. Both use core's rules, but read the form differently. */
import type { FormField } from '@opencashier/contract/api';
import { countryOfPhone } from '@opencashier/core/fields/phone';
import { PIX_KEY_TYPE_FIELD, pixFieldValues, visiblePixFields } from '@opencashier/core/fields/pix-fields';
import { compileRule } from '@opencashier/core/fields/regex-rule';
import { normaliseFieldValue, validateField } from '@opencashier/core/fields/validate-field';
import { checkAmount } from '@opencashier/core/limits/check-amount';
import { methodLimits, type ServerLimits } from '@opencashier/core/limits/limits';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bundledFiles } from '../catalogue/bundled-files.ts';
import type { CatalogueMethod } from '../catalogue/catalogue.ts';
import { createShippedCatalogue } from '../catalogue/shipped-catalogue.fixture.ts';
import { DomainError } from '../errors/domain-error.ts';
import { noUserRules } from '../operators/user-rules.ts';
import { ann, commandOf, createFakeProvider } from '../payments/testing/payments.fixture.ts';
import { validateDeposit } from './validate-deposit.ts';

const catalogue = createShippedCatalogue(bundledFiles);
const provider = createFakeProvider('sandbox');

interface Offer {
  readonly method: CatalogueMethod;
  readonly country: string;
  readonly currency: string;
}

/** Every deposit method in each country and currency that offers it. */
const offers: Offer[] = catalogue.countries('op').flatMap(({ code: country, currencies }) =>
  currencies.flatMap((currency) =>
    catalogue
      .list({ operatorId: 'op', direction: 'deposit', country, currency, language: 'en' })
      .methods.flatMap(({ name }) => {
        const method = catalogue.method({ operatorId: 'op', name, currency, country });
        return method?.provider === 'sandbox' ? [{ method, country, currency }] : [];
      }),
  ),
);
/** These methods have most of the rules, so half of the forms use them. */
const offersWithFields = offers.filter(({ method }) => method.fields.length > 0);
const offer = (name: string, currency: string, country: string): Offer => {
  const found = offers.find((one) => one.method.name === name && one.currency === currency && one.country === country);
  if (!found) throw new Error(`${name} is not offered for ${currency} in ${country}`);
  return found;
};

/** Valid values by field name, so that accepted forms are as frequent as refused ones. */
const goodValues: Readonly<Record<string, readonly string[]>> = {
  cardNumber: ['4242 4242 4242 4242', '4242424242424242'],
  fullName: ['Frida Kahlo', ' José Ñuñez '],
  clabe: ['032180000118359719', '032 180 00011835971 9'],
  birthday: ['06.07.1997', '29.02.2024'],
  salutation: ['MR', 'ms', ''],
  iban: ['DE89370400440532013000', 'de89 3704 0044 0532 0130 00'],
  bank: ['north', 'direct'],
  postcode: ['10115'],
  debitDay: ['1', '28', ''],
  monthlyLimit: ['100', '12.50', ''],
  email: ['ann@example.com'],
  network: ['trc20', 'erc20'],
  note: ['', 'hello 👋'],
  pixKeyType: ['cpf', 'email', 'phone', 'random'],
  cpf: ['529.982.247-25', '52998224725'],
  random: ['7d9f0335-8dcc-4054-9bf9-0dbd61d36906'],
  phone: ['+5511912345678', '+77012345678', '+996555123456', '+919876543210'],
  code: ['GIFT-2026-AB12', 'gift-2026-ab12', 'GIFT2026AB12'],
  vpa: ['ann@upi'],
  wallet: ['01712345678'],
  confirmationId: ['12345678'],
};
const badValues = [
  '',
  ' ',
  'x',
  '1',
  '4242 4242 4242 4241',
  '31.02.2024',
  'DE1',
  'DE89370400440532013001',
  '529.982.247-52',
  'a@b',
  '+1',
  '😀',
  'a'.repeat(300),
  '0x10',
  '٣',
];

const valueFor = ({ name }: FormField): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...(goodValues[name] ?? ['1'])) },
    { weight: 1, arbitrary: fc.constantFrom(...badValues) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
  );

/** Amounts inside and outside the limits, and invalid amounts. */
const amountOf = ({ method, currency, country }: Offer, server: ServerLimits | undefined): fc.Arbitrary<string> => {
  const { min = 1n, max = 10n ** 12n } = methodLimits({
    currency,
    rule: method.amount_rules[currency],
    country,
    server,
  });
  const decimals = decimalsOf(currency);
  const near = (bound: bigint) => fc.bigInt({ min: bound > 2n ? bound - 2n : 0n, max: bound + 2n });
  const written = fc
    .oneof(near(min), near(max), fc.bigInt({ min, max }))
    .map((minor) => toDecimalString(minor, decimals));
  // p2p_market accepts only multiples of ten.
  const tens = fc.bigInt({ min: min / 1000n + 1n, max: max / 1000n }).map((n) => String(n * 10n));
  return fc.oneof(
    { weight: 8, arbitrary: fc.oneof(written, tens) },
    { weight: 1, arbitrary: fc.constant('1.123456789') },
  );
};

const overrides = fc.option(
  fc.constantFrom<ServerLimits>(
    { min: '0', max: '0' },
    { min: '50', max: '0' },
    { min: '0', max: '75.5' },
    { min: '20', max: '900' },
  ),
  { nil: undefined, freq: 2 },
);

const forms = fc
  .tuple(fc.oneof(fc.constantFrom(...offers), fc.constantFrom(...offersWithFields)), overrides)
  .chain(([one, server]) => {
    const fields = [...one.method.fields, ...one.method.preparationFields];
    return fc.record({
      offer: fc.constant(one),
      server: fc.constant(server),
      amount: amountOf(one, server),
      values: fc.record(Object.fromEntries(fields.map((field) => [field.name, valueFor(field)]))),
    });
  });

/** The errors that the widget finds before it sends a form. */
function widgetErrors(
  { method, country, currency }: Offer,
  server: ServerLimits | undefined,
  amount: string,
  values: Record<string, string>,
) {
  const fields = [...method.fields, ...method.preparationFields];
  const limits = methodLimits({ currency, rule: method.amount_rules[currency], country, server });
  const own = method.flags.ownAmountRegex;
  const rule = own === undefined ? undefined : compileRule(own);
  const pattern = rule?.ok ? { test: rule.matches, errorKey: 'own' } : undefined;
  if (checkAmount(amount, limits, pattern)) return ['amount'];
  return visiblePixFields(fields, values[PIX_KEY_TYPE_FIELD]).flatMap((field) => {
    const value = values[field.name] ?? '';
    const prefix = countryOfPhone(value.trim(), field.countries ?? [])?.prefix;
    const { error } = validateField({ field, value, method: method.name, prefix, checkLuhn: method.checkLuhn });
    return error ? [`fields.${field.name}`] : [];
  });
}

/** The values that the widget sends: visible fields, trimmed, a Pix key under its own names. */
function sentFields({ method }: Offer, values: Record<string, string>): Record<string, string> {
  const fields = [...method.fields, ...method.preparationFields];
  const shown = visiblePixFields(fields, values[PIX_KEY_TYPE_FIELD]);
  const trimmed = shown.map((field) => [field.name, normaliseFieldValue(field, values[field.name] ?? '')] as const);
  return pixFieldValues(fields, Object.fromEntries(trimmed.filter(([, value]) => value !== '')));
}

function serverErrors(
  { method, country, currency }: Offer,
  server: ServerLimits | undefined,
  amount: string,
  fields: Record<string, string>,
) {
  const command = commandOf(
    { amount, currency, paymentType: method.name, selectedCountry: country, fields },
    { ...ann, country },
  );
  const providers = new Map([[provider.name, provider]]);
  try {
    const valid = validateDeposit({ catalogue, providers, limitsOf: () => server }, command, noUserRules);
    return { errors: [], valid };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const isLimit = error.code === 'limit-min' || error.code === 'limit-max';
    return { errors: isLimit ? ['amount'] : (error.details.fields ?? []).map(({ path }) => path), valid: undefined };
  }
}

describe('[SRV-8] the server and the widget', () => {
  test('accept and refuse the same forms, for the same fields', () => {
    fc.assert(
      fc.property(forms, ({ offer: one, server, amount, values }) => {
        const ours = widgetErrors(one, server, amount, values);
        const theirs = serverErrors(one, server, amount, sentFields(one, values));
        expect(theirs.errors, JSON.stringify([one.method.name, amount, values])).toEqual(ours);
        // The server keeps exactly the sent values.
        if (theirs.valid) {
          const visible = Object.entries(sentFields(one, values)).filter(([name]) => name !== 'channel');
          expect(
            Object.fromEntries(Object.entries(theirs.valid.fields).filter(([name]) => name !== 'channel')),
          ).toEqual(Object.fromEntries(visible));
        }
      }),
      { numRuns: 3000 },
    );
    // A fixed sample: the share of a few runs is chance, and `npm run check` ends the runs after some time.
    const sample = fc.sample(forms, { seed: 1, numRuns: 300 });
    const accepted = sample.filter(
      (form) => widgetErrors(form.offer, form.server, form.amount, form.values).length === 0,
    );
    expect(Math.min(accepted.length, 300 - accepted.length)).toBeGreaterThan(50);
  });

  test('are compared on an accepted and a refused form of every method with fields', () => {
    let met = 0;
    for (const one of offersWithFields) {
      const { method, currency, country } = one;
      const fields = [...method.fields, ...method.preparationFields];
      const isGood = (field: FormField, value: string) => {
        const prefix = countryOfPhone(value, field.countries ?? [])?.prefix;
        const question = { field, value, method: method.name, prefix, checkLuhn: method.checkLuhn };
        return (field.countries === undefined || prefix !== undefined) && !validateField(question).error;
      };
      const good = Object.fromEntries(
        fields.map((field) => [field.name, (goodValues[field.name] ?? []).find((value) => isGood(field, value)) ?? '']),
      );
      const required = fields.find((field) => !isGood(field, '') && good[field.name] !== '');
      // A method with a field without a valid value here is covered by the property above.
      if (required === undefined || fields.some((field) => !isGood(field, good[field.name] ?? ''))) continue;
      met += 1;
      const limits = methodLimits({ currency, rule: method.amount_rules[currency], country });
      const amount = toDecimalString(limits.min ?? 1n, decimalsOf(currency));
      expect(serverErrors(one, undefined, amount, sentFields(one, good)).errors, method.name).toEqual([]);
      const empty = serverErrors(one, undefined, amount, sentFields(one, { ...good, [required.name]: '' }));
      expect(empty.errors, method.name).toContain(`fields.${required.name}`);
    }
    expect(met).toBeGreaterThan(8);
  });
});

describe('[AMT-3] [SRV-8] limits', () => {
  const amountErrors = (one: Offer, amount: string, server?: ServerLimits) =>
    serverErrors(one, server, amount, {}).errors;

  test('outside Russia the minimum for other countries applies', () => {
    expect(amountErrors(offer('card', 'RUB', 'RU'), '500')).toEqual([]);
    expect(amountErrors(offer('card', 'RUB', 'KZ'), '999.99')).toEqual(['amount']);
    expect(amountErrors(offer('card', 'RUB', 'KZ'), '1000')).toEqual([]);
  });

  test('an override replaces both bounds when one of its bounds is not zero', () => {
    const card = offer('card', 'USD', 'IN');
    expect(amountErrors(card, '4.99')).toEqual(['amount']);
    expect(amountErrors(card, '4.99', { min: '0', max: '0' })).toEqual(['amount']);
    expect(amountErrors(card, '4.99', { min: '1', max: '0' })).toEqual([]);
    expect(amountErrors(card, '99999', { min: '1', max: '0' })).toEqual([]);
    expect(amountErrors(card, '10.01', { min: '0', max: '10' })).toEqual(['amount']);
    expect(amountErrors(card, '0.01', { min: '0', max: '10' })).toEqual([]);
    expect(amountErrors(card, '0', { min: '0', max: '10' })).toEqual(['amount']);
  });
});

describe('[SRV-8] fields', () => {
  test('a hidden field always has the catalogue’s value', () => {
    const debit = offer('bank_details_de', 'EUR', 'DE');
    const fields = {
      iban: 'DE89370400440532013000',
      bank: 'north',
      postcode: '10115',
      birthday: '06.07.1997',
      email: 'a@b.de',
    };
    for (const channel of [undefined, 'other', '']) {
      const sent = { ...fields, ...(channel !== undefined && { channel }) };
      expect(serverErrors(debit, undefined, '100', sent).valid?.fields).toEqual({ ...fields, channel: 'cashier' });
    }
  });

  test('[FORM-8] a card number is checked by its check digit if the method requires this', () => {
    const card = offer('card_kz', 'KZT', 'KZ');
    expect(serverErrors(card, undefined, '5000', { cardNumber: '4242 4242 4242 4242' }).errors).toEqual([]);
    expect(serverErrors(card, undefined, '5000', { cardNumber: '4242 4242 4242 4243' }).errors).toEqual([
      'fields.cardNumber',
    ]);
  });

  test('[FORM-6] a Pix key is checked by the rule of its kind', () => {
    const pix = offer('pix_key', 'BRL', 'BR');
    const sent = (more: Record<string, string>) => ({ numberId: '52998224725', numberType: 'cpf', ...more });
    const errors = (more: Record<string, string>) => serverErrors(pix, undefined, '100', sent(more)).errors;
    expect(errors({ pixKeyType: 'email', pixKey: 'ann@example.com' })).toEqual([]);
    expect(errors({ pixKeyType: 'email', pixKey: 'ann' })).toEqual(['fields.email']);
    expect(errors({ pixKeyType: 'phone', pixKey: '+5511912345678' })).toEqual([]);
    expect(errors({ pixKeyType: 'phone', pixKey: '+11' })).toEqual(['fields.phone']);
    expect(errors({ pixKeyType: 'nothing', pixKey: 'x' })).toEqual(['fields.pixKeyType']);
    expect(errors({ pixKey: 'x' })).toEqual(['fields.pixKeyType']);
  });
});
