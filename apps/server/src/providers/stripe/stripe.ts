/**
 * Cards through Stripe Checkout, by Stripe's own library (SRV-4): the person pays on Stripe's page, so that no card number ever
 * comes near the cashier. The session's id is the payment's reference; our deposit id is the idempotency key and stands on the
 * session and on its payment. See docs/providers.md.
 */
import type { Clock } from '@opencashier/core/time/clock';
import Stripe from 'stripe';
import { wordFiles } from '../../languages/word-files.ts';
import { createWords } from '../../languages/words.ts';
import type {
  Provider,
  ProviderCreateResult,
  ProviderDeposit,
  ProviderEvidence,
  ProviderRefund,
  ProviderRefundResult,
  RawCallback,
  VerifiedCallback,
} from '../provider.ts';
import { causeOf } from './decline-cause.ts';
import { refundOfEvent } from './refund-of-event.ts';
import { toStripeAmount } from './stripe-amount.ts';
import {
  DEPOSIT_ID,
  evidenceOfFailedSession,
  evidenceOfOtherMode,
  evidenceOfReturn,
  evidenceOfReversal,
  evidenceOfSession,
  inMode,
  isLiveKey,
  OPERATOR_ID,
  PROVIDER_NAME,
} from './stripe-evidence.ts';
import english from './texts.en.json' with { type: 'json' };

export interface StripeOptions {
  readonly secretKey: string;
  /** Signing secrets of the web-hook's address; several while one is being changed. */
  readonly webhookSecrets: readonly string[];
  /** What the person reads on Stripe's page as the thing that is paid for; absent: a deposit, in the person's language. */
  readonly productName?: string;
  /** Another address of the interface, for tests. */
  readonly api?: { readonly protocol: 'http' | 'https'; readonly host: string; readonly port: number };
  readonly clock: Clock;
}

/** Stripe ends no session earlier than this; ours ends a minute before it. */
const SESSION_S = 31 * 60;
const LIFETIME_S = SESSION_S - 60;
/** Age of a signature from which on a call-back is taken for a repeated old one. */
const TOLERANCE_S = 300;
const ATTEMPT_MS = 20_000;
/** Under this name our id stands on a refund at Stripe. */
const REFUND_ID = 'refund_id';

const LANGUAGES = new Set(
  'bg cs da de el en es et fi fil fr hr hu id it ja ko lt lv ms mt nb nl pl pt ro ru sk sl sv th tr vi zh'.split(' '),
);

const words = createWords(wordFiles);

export function createStripeProvider(options: StripeOptions): Provider {
  const { clock, productName } = options;
  const stripe = new Stripe(options.secretKey, {
    // Repeats carry the same idempotency key.
    maxNetworkRetries: 1,
    timeout: ATTEMPT_MS,
    telemetry: false,
    ...options.api,
  });

  const isLive = isLiveKey(options.secretKey);

  async function create(deposit: ProviderDeposit): Promise<ProviderCreateResult> {
    const amount = toStripeAmount(deposit.amountMinor, deposit.currency);
    if (amount === undefined) return { kind: 'declined', code: 'amount-not-payable' };
    const metadata = { [DEPOSIT_ID]: deposit.depositId, [OPERATOR_ID]: deposit.operatorId };
    const wanted: Stripe.Checkout.SessionCreateParams = {
      mode: 'payment',
      client_reference_id: deposit.depositId,
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: deposit.currency.toLowerCase(),
            unit_amount: amount,
            product_data: { name: productName ?? words(english.product, deposit.language) ?? english.product },
          },
        },
      ],
      metadata,
      // A charge inherits it, so that a refund or a dispute names our deposit, too.
      payment_intent_data: { metadata },
      success_url: deposit.returnUrl,
      cancel_url: deposit.returnUrl,
      expires_at: Math.floor(clock.now() / 1000) + SESSION_S,
      locale: localeOf(deposit.language),
    };
    // Stripe refuses another request under the same key, and the time, the settings or this program may have changed since a first try.
    const kept = (await deposit.keepRequest?.(JSON.stringify(wanted))) ?? JSON.stringify(wanted);
    const request: Stripe.Checkout.SessionCreateParams = JSON.parse(kept);
    const session = await stripe.checkout.sessions.create(request, { idempotencyKey: deposit.depositId });
    if (!session.url) return { kind: 'unknown', code: 'no-page' };
    return { kind: 'created', providerRef: session.id, source: session.url, lifetimeSeconds: LIFETIME_S };
  }

  /** By Stripe's index, which lags by up to a minute: enough for a payment whose page nobody was given. */
  async function sessionOfDeposit(depositId: string): Promise<Stripe.Checkout.Session | undefined> {
    const found = await stripe.paymentIntents.search({ query: `metadata['${DEPOSIT_ID}']:'${depositId}'`, limit: 1 });
    const [intent] = found.data;
    return intent === undefined ? undefined : sessionOfIntent(intent.id);
  }

  async function sessionOfIntent(intent: string): Promise<Stripe.Checkout.Session | undefined> {
    const found = await stripe.checkout.sessions.list({ payment_intent: intent, limit: 1 });
    return found.data[0];
  }

  /** The session of a payment; undefined where the payment is none of ours. */
  async function sessionOf(intent: string | Stripe.PaymentIntent | null): Promise<Stripe.Checkout.Session | undefined> {
    return intent === null ? undefined : sessionOfIntent(typeof intent === 'string' ? intent : intent.id);
  }

  /** The refund that an event tells of, whole or in part. @throws when several fit, see {@link refundOfEvent} */
  async function refundAt(event: Stripe.ChargeRefundedEvent): Promise<Stripe.Refund | undefined> {
    const { payment_intent: intent, amount_refunded: after } = event.data.object;
    if (intent === null) return undefined;
    const payment_intent = typeof intent === 'string' ? intent : intent.id;
    const { data } = await stripe.refunds.list({ payment_intent, limit: 100 });
    const before = event.data.previous_attributes?.amount_refunded;
    return refundOfEvent(data, { at: event.created, before, after });
  }

  /** Why a later settlement failed: only its payment says so. That it failed is certain also where the payment may not be read. */
  async function causeAt({ payment_intent: named }: Stripe.Checkout.Session): Promise<ReturnType<typeof causeOf>> {
    if (!named) return {};
    const intent = typeof named === 'string' ? await stripe.paymentIntents.retrieve(named).catch(noneOfRefusal) : named;
    return causeOf(intent?.last_payment_error?.decline_code, intent?.last_payment_error?.code);
  }

  async function returned(refund: Stripe.Refund, at: number): Promise<ProviderEvidence | undefined> {
    if (refund.status !== 'failed' && refund.status !== 'canceled') return undefined;
    const session = await sessionOf(refund.payment_intent);
    const moved = { cause: refund.id, amount: refund.amount };
    return session && evidenceOfReturn(session, moved, at, refund.metadata?.[REFUND_ID]);
  }

  /** Looked for first: Stripe forgets idempotency keys after a day, and a refund may be asked about for a month. */
  async function refund(asked: ProviderRefund): Promise<ProviderRefundResult> {
    const { depositId, providerRef, refundId } = asked;
    const amount = toStripeAmount(asked.amountMinor, asked.currency);
    if (amount === undefined) return { kind: 'declined', code: 'amount-not-payable' };
    const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(providerRef);
    if (intent === null) return { kind: 'declined', code: 'not-paid' };
    const payment_intent = typeof intent === 'string' ? intent : intent.id;
    const { data } = await stripe.refunds.list({ payment_intent, limit: 100 });
    const known = data.find(({ metadata }) => metadata?.[REFUND_ID] === refundId);
    const metadata = { [DEPOSIT_ID]: depositId, [REFUND_ID]: refundId };
    const made =
      known ?? (await stripe.refunds.create({ payment_intent, amount, metadata }, { idempotencyKey: refundId }));
    if (made.status === 'failed' || made.status === 'canceled') return { kind: 'declined', code: made.status };
    return { kind: 'accepted', isDone: made.status === 'succeeded' };
  }

  return {
    name: PROVIDER_NAME,
    refund: (asked) => refund(asked).catch(meaningForRefund),
    create: (deposit) => untilAbort(deposit.signal, () => create(deposit)).catch(meaningOf),

    async inquire({ depositId, providerRef }) {
      const session =
        providerRef === undefined
          ? await sessionOfDeposit(depositId)
          : await stripe.checkout.sessions.retrieve(providerRef);
      return session && inMode(session, isLive, evidenceOfSession(session, clock.now() / 1000));
    },

    verify: (callback) => verify(stripe, options.webhookSecrets, callback),

    async read(rawBody) {
      const event = JSON.parse(Buffer.from(rawBody).toString('utf8')) as Stripe.Event;
      // Our key does not see what is of the other mode: nothing can be asked about it.
      if (event.livemode !== isLive) return evidenceOfOtherMode(event);
      switch (event.type) {
        case 'checkout.session.completed':
        case 'checkout.session.async_payment_succeeded':
        case 'checkout.session.expired':
          return evidenceOfSession(event.data.object, event.created);
        case 'checkout.session.async_payment_failed':
          return {
            ...evidenceOfFailedSession(event.data.object, event.created),
            ...(await causeAt(event.data.object)),
          };
        case 'charge.refunded': {
          const { id, payment_intent, refunded } = event.data.object;
          const session = await sessionOf(payment_intent);
          if (session === undefined) return undefined;
          const refund = await refundAt(event);
          // The list may lag behind the event: the inbox asks again.
          if (refund === undefined && !refunded) throw new Error('Stripe does not list the refund yet');
          const moved = { cause: refund?.id ?? id, amount: refund?.amount ?? session.amount_total };
          const isWhole = moved.amount === session.amount_total;
          const ours = isWhole ? refund?.metadata?.[REFUND_ID] : undefined;
          return evidenceOfReversal(session, moved, event.created, ours);
        }
        case 'charge.dispute.funds_withdrawn': {
          const { id, payment_intent, amount } = event.data.object;
          const session = await sessionOf(payment_intent);
          return session && evidenceOfReversal(session, { cause: id, amount }, event.created);
        }
        case 'charge.dispute.funds_reinstated': {
          const { id, payment_intent, amount } = event.data.object;
          const session = await sessionOf(payment_intent);
          return session && evidenceOfReturn(session, { cause: id, amount }, event.created);
        }
        // Two names of one fact: which of them is sent depends on the version of Stripe's interface.
        case 'refund.failed':
        case 'charge.refund.updated':
          return returned(event.data.object, event.created);
        default:
          return undefined;
      }
    },

    async cancel({ providerRef }) {
      await stripe.checkout.sessions.expire(providerRef);
    },
  };
}

/** Another try would be refused as well: a restricted key may not read it, or it is gone. */
function noneOfRefusal(error: unknown): undefined {
  const { StripePermissionError, StripeInvalidRequestError } = Stripe.errors;
  if (error instanceof StripePermissionError || error instanceof StripeInvalidRequestError) return undefined;
  throw error;
}

/** A known language of Stripe's page, else its own guess by the browser. */
function localeOf(language: string): Stripe.Checkout.SessionCreateParams.Locale {
  const [base = ''] = language.toLowerCase().split('-');
  return (LANGUAGES.has(base) ? base : 'auto') as Stripe.Checkout.SessionCreateParams.Locale;
}

/** The library takes no signal: who no longer waits has an unknown outcome while the request goes on. */
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
 * What an error says about the money. Only a refusal that Stripe itself spoke means that nothing was taken; a line that broke
 * and a server that failed half-way say nothing.
 */
function meaningOf(error: unknown): ProviderCreateResult {
  const { errors } = Stripe;
  if (error instanceof errors.StripeCardError)
    return { kind: 'declined', code: error.code ?? 'card-declined', ...causeOf(error.decline_code, error.code) };
  const isSure =
    error instanceof errors.StripeAuthenticationError ||
    error instanceof errors.StripePermissionError ||
    error instanceof errors.StripeRateLimitError ||
    (error instanceof errors.StripeInvalidRequestError && error.statusCode !== 409);
  if (isSure) return { kind: 'failed', code: error.code ?? error.type };
  if (error instanceof errors.StripeError) return { kind: 'unknown', code: error.code ?? error.type };
  throw error;
}

/** A key that is wrong today says nothing of what an earlier question did: only a refusal of this refund itself is sure. */
function meaningForRefund(error: unknown): ProviderRefundResult {
  const { errors } = Stripe;
  const isRefused =
    error instanceof errors.StripeCardError ||
    (error instanceof errors.StripeInvalidRequestError && error.statusCode === 400);
  if (isRefused) return { kind: 'declined', code: error.code ?? error.type };
  if (error instanceof errors.StripeError) return { kind: 'unknown', code: error.code ?? error.type };
  throw error;
}

function verify(stripe: Stripe, secrets: readonly string[], callback: RawCallback): VerifiedCallback {
  const header = callback.headers['stripe-signature'];
  if (header === undefined) return { kind: 'rejected', reason: 'no-signature' };
  const body = Buffer.from(callback.rawBody);
  for (const secret of secrets) {
    try {
      const event = stripe.webhooks.constructEvent(body, header, secret, TOLERANCE_S, undefined, callback.receivedAt);
      return typeof event.id === 'string' && event.id !== ''
        ? { kind: 'verified', messageId: event.id }
        : { kind: 'rejected', reason: 'no-id' };
    } catch (error) {
      // The next secret may be the right one; a body that is no JSON is signed by nobody we know.
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError) && !(error instanceof SyntaxError))
        throw error;
    }
  }
  return { kind: 'rejected', reason: 'wrong-signature' };
}
