import { createTestClock } from '@opencashier/core/time/test-clock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStripeProvider } from './stripe.ts';
import { deposit, StripeApi, session } from './stripe-api.fixture.ts';

let api: StripeApi;
let address: Awaited<ReturnType<StripeApi['open']>>;

beforeEach(async () => {
  api = new StripeApi();
  address = await api.open();
});

afterEach(() => api.close());

/** The language that Stripe is asked for, for a text in `language`. */
async function askedLocale(language: string) {
  api.answer = () => ({ status: 200, body: session() });
  const clock = createTestClock(Date.UTC(2026, 10, 20, 12));
  const stripe = createStripeProvider({ secretKey: 'sk_test_1', webhookSecrets: ['whsec'], api: address, clock });
  await stripe.create(deposit({ language }));
  return api.asked[0]?.form['locale'];
}

test.each([
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt'],
  ['zh', 'zh'],
  ['zh-Hant', 'zh-TW'],
  ['es-MX', 'es'],
])('[UI-1] the texts of %s go on in %s: Stripe means European Portuguese by pt', async (language, locale) => {
  expect(await askedLocale(language)).toBe(locale);
});

test('a language that Stripe does not offer is left to the browser', async () => {
  expect(await askedLocale('ar')).toBe('auto');
});

test('[LIST-7] for the wallet of a device the page takes cards alone, and has no other wallet of Stripe', async () => {
  api.answer = () => ({ status: 200, body: session() });
  const clock = createTestClock(Date.UTC(2026, 10, 20, 12));
  const stripe = createStripeProvider({ secretKey: 'sk_test_1', webhookSecrets: ['whsec'], api: address, clock });
  await stripe.create(deposit());
  await stripe.create(deposit({ providerOptions: { wallet: 'apple_pay' } }));
  const [plain, wallet] = api.asked;
  expect(plain?.form).not.toHaveProperty('allowed_payment_method_types[0]');
  expect(wallet?.form).toMatchObject({
    'allowed_payment_method_types[0]': 'card',
    'wallet_options[link][display]': 'never',
  });
});
