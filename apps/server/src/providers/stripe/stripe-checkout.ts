/** Creates a Checkout session for a deposit, and reads what Stripe's refusals mean for the money. */
import { textLocaleOf } from '@opencashier/core/locale/text-locale';
import type { Clock } from '@opencashier/core/time/clock';
import Stripe from 'stripe';
import { wordFiles } from '../../languages/word-files.ts';
import english from '../../languages/words/en.json' with { type: 'json' };
import { createWords } from '../../languages/words.ts';
import type { ProviderCreateResult, ProviderDeposit } from '../provider.ts';
import { causeOf } from './decline-cause.ts';
import { toStripeAmount } from './stripe-amount.ts';
import { DEPOSIT_ID, OPERATOR_ID } from './stripe-reports.ts';

/** Stripe allows no shorter session. The deposit expires a minute before its session. */
const SESSION_S = 31 * 60;
const LIFETIME_S = SESSION_S - 60;

/** The languages of Stripe's page. */
const LANGUAGES = new Set(
  'bg cs da de el en es et fi fil fr hr hu id it ja ko lt lv ms mt nb nl pl pt ro ru sk sl sv th tr vi zh'.split(' '),
);

const words = createWords(wordFiles);
const depositName = english['page.stripe.product'];

export interface CheckoutOptions {
  /** The name of the product on Stripe's page. Absent: the word for a deposit, in the payer's language. */
  readonly productName: string | undefined;
  readonly clock: Clock;
}

/**
 * `Provider.create` at Stripe. A lost connection, a server error and a conflict of idempotency keys are `unknown`.
 * @throws only for a mistake in the code
 */
export async function createCheckout(
  stripe: Stripe,
  options: CheckoutOptions,
  deposit: ProviderDeposit,
): Promise<ProviderCreateResult> {
  return untilAbort(deposit.signal, () => createSession(stripe, options, deposit)).catch(outcomeOfError);
}

async function createSession(
  stripe: Stripe,
  options: CheckoutOptions,
  deposit: ProviderDeposit,
): Promise<ProviderCreateResult> {
  const amount = toStripeAmount(deposit.amountMinor, deposit.currency);
  if (amount === undefined) return { kind: 'declined', code: 'amount-not-payable' };
  const request = await keptRequest(deposit, sessionRequest(deposit, amount, options));
  const session = await stripe.checkout.sessions.create(request, { idempotencyKey: deposit.depositId });
  if (!session.url) return { kind: 'unknown', code: 'no-page' };
  return { kind: 'created', providerRef: session.id, source: session.url, lifetimeSeconds: LIFETIME_S };
}

function sessionRequest(
  deposit: ProviderDeposit,
  amount: number,
  { productName, clock }: CheckoutOptions,
): Stripe.Checkout.SessionCreateParams {
  const metadata = { [DEPOSIT_ID]: deposit.depositId, [OPERATOR_ID]: deposit.operatorId };
  return {
    mode: 'payment',
    client_reference_id: deposit.depositId,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: deposit.currency.toLowerCase(),
          unit_amount: amount,
          product_data: { name: productName ?? words(depositName, deposit.language) ?? depositName },
        },
      },
    ],
    metadata,
    ...walletParts(deposit),
    // A charge inherits this metadata, so that the events of refunds and disputes also name our deposit.
    payment_intent_data: { metadata },
    success_url: deposit.returnUrl,
    cancel_url: deposit.returnUrl,
    expires_at: Math.floor(clock.now() / 1000) + SESSION_S,
    locale: localeOf(deposit.language),
  };
}

/**
 * A payment by the wallet of the device. Stripe shows Apple Pay and Google Pay as ways to pay by card, above its form. It names no wallet in
 * a request, so everything else is left out: other ways to pay, and Stripe's own wallet.
 */
function walletParts({ providerOptions }: ProviderDeposit): Partial<Stripe.Checkout.SessionCreateParams> {
  if (providerOptions['wallet'] === undefined) return {};
  return { allowed_payment_method_types: ['card'], wallet_options: { link: { display: 'never' } } };
}

/**
 * The request of the first try, word for word. Stripe refuses another request under the same idempotency key. The time, the settings
 * or this program may have changed since the first try.
 */
async function keptRequest(
  deposit: ProviderDeposit,
  request: Stripe.Checkout.SessionCreateParams,
): Promise<Stripe.Checkout.SessionCreateParams> {
  const text = JSON.stringify(request);
  const kept = (await deposit.keepRequest?.(text)) ?? text;
  return JSON.parse(kept) as Stripe.Checkout.SessionCreateParams;
}

/** Where Stripe's page means another variant by a language than we do. */
const VARIANTS: Readonly<Record<string, Stripe.Checkout.SessionCreateParams.Locale>> = {
  pt: 'pt-BR',
  'pt-PT': 'pt',
  'zh-Hant': 'zh-TW',
};

/** A language of Stripe's page. For any other language Stripe asks the browser. */
function localeOf(language: string): Stripe.Checkout.SessionCreateParams.Locale {
  const tag = textLocaleOf(language);
  const variant = VARIANTS[tag];
  if (variant !== undefined) return variant;
  const [base = ''] = tag.split('-');
  return (LANGUAGES.has(base) ? base : 'auto') as Stripe.Checkout.SessionCreateParams.Locale;
}

/** Answers `unknown` on abort and lets the request go on, because Stripe's library takes no signal. */
function untilAbort<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | ProviderCreateResult> {
  if (signal.aborted) return Promise.resolve({ kind: 'unknown', code: 'timeout' });
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve({ kind: 'unknown', code: 'timeout' });
    signal.addEventListener('abort', stop, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * What an error of a create means for the money. Only a refusal by Stripe itself proves that Stripe took nothing. A lost connection
 * and a server error prove nothing.
 */
function outcomeOfError(error: unknown): ProviderCreateResult {
  const { errors } = Stripe;
  if (error instanceof errors.StripeCardError)
    return { kind: 'declined', code: error.code ?? 'card-declined', ...causeOf(error.decline_code, error.code) };
  const isRefused =
    error instanceof errors.StripeAuthenticationError ||
    error instanceof errors.StripePermissionError ||
    error instanceof errors.StripeRateLimitError ||
    (error instanceof errors.StripeInvalidRequestError && error.statusCode !== 409);
  if (isRefused) return { kind: 'failed', code: error.code ?? error.type };
  if (error instanceof errors.StripeError) return { kind: 'unknown', code: error.code ?? error.type };
  throw error;
}
