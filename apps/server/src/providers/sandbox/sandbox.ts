/**
 * The sandbox: a payment company that happens to live in the cashier's process. It has books of its own, a pay page of its
 * own, and tells what happened by signed call-backs over HTTP alone (SRV-4). See docs/sandbox.md.
 */
import type { Clock } from '@opencashier/core/time/clock';
import type { FastifyPluginAsync } from 'fastify';
import type { Database } from '../../database/database.ts';
import type { Provider, ProviderCreateResult, ProviderDeposit, ProviderEvidence } from '../provider.ts';
import { createCallbackOutbox } from './callbacks/callback-outbox.ts';
import { createCallbackSender, type SandboxLog } from './callbacks/callback-sender.ts';
import { createCallbackSignatures } from './callbacks/callback-signature.ts';
import { networkOf } from './coins/networks.ts';
import { answerOf } from './flows/answer.ts';
import { refusedInputs } from './flows/code-pages.ts';
import { chosenNetwork, isSeller } from './flows/crypto.ts';
import { createPages } from './pages/pages.ts';
import { evidenceOf, PROVIDER_NAME, readCallback } from './payments/callback-body.ts';
import { isPaid, refund } from './payments/control.ts';
import { causeOf } from './payments/decline-causes.ts';
import { flowOf } from './payments/flow-names.ts';
import { hang } from './payments/hang.ts';
import { cancel, factAt, isOpen, lifetimeOf, openPayment } from './payments/lifecycle.ts';
import { pageTexts, payPath } from './payments/pay-path.ts';
import type { NewPayment, SandboxPayment } from './payments/payment.ts';
import { createPaymentStore } from './payments/payment-store.ts';
import { type Scenario, scenarioNamed, scenarioOf } from './payments/scenarios.ts';
import { createPayouts } from './payouts/payouts.ts';
import { textsOf } from './words/texts.ts';

export interface SandboxOptions {
  /** What the configuration says. A cashier for real money must not even know this provider. */
  readonly isAllowed: boolean;
  /** The cashier's public address, under which the pay page is served and call-backs are taken. */
  readonly publicUrl: string;
  /** Where call-backs go if the server cannot reach its own public address. */
  readonly callbackUrl?: string;
  /** `whsec_…`, 24 to 64 bytes in base64. */
  readonly secret: string;
  /** Also valid while the secret is being changed. */
  readonly previousSecret?: string;
  /** Who is paid, as the page says it. */
  readonly merchantName?: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: SandboxLog;
}

export interface Sandbox {
  readonly provider: Provider;
  /** The web site. It sends call-backs from the moment the server listens until it closes. */
  readonly pages: FastifyPluginAsync;
  /** Sends the call-backs that are due by the given clock and answers how many; for tests that move time themselves. */
  deliverDue(): Promise<number>;
}

export class SandboxForbiddenError extends Error {
  override readonly name = 'SandboxForbiddenError';

  constructor() {
    super('The sandbox provider is switched off by the configuration (SANDBOX)');
  }
}

/** What an unreachable provider is to its caller: an unknown outcome. */
class SandboxUnreachableError extends Error {
  override readonly name = 'SandboxUnreachableError';
}

/**
 * @throws SandboxForbiddenError when the configuration does not allow it
 * @throws RangeError when a secret has the wrong form; TypeError when an address is none
 */
export function createSandboxProvider(options: SandboxOptions): Sandbox {
  if (!options.isAllowed) throw new SandboxForbiddenError();
  const { clock, database, log } = options;
  const base = options.publicUrl.replace(/\/+$/, '');
  const url = new URL(options.callbackUrl ?? `${base}/providers/${PROVIDER_NAME}/callbacks`).href;
  const { secret, previousSecret, merchantName = 'Demo merchant' } = options;
  const signatures = createCallbackSignatures(previousSecret === undefined ? [secret] : [secret, previousSecret]);
  const store = createPaymentStore(database);
  const sender = createCallbackSender({ outbox: createCallbackOutbox(database), signatures, clock, url, log });

  async function create(deposit: ProviderDeposit): Promise<ProviderCreateResult> {
    const scenario = scenarioOf(deposit.amountMinor);
    if (scenario.answer.kind === 'fail') return { kind: 'failed', code: scenario.answer.code };
    const flow = flowOf(deposit.providerOptions);
    if (flow === undefined) return { kind: 'failed', code: 'unknown-flow' };
    const network = chosenNetwork(deposit);
    // Found out before anything is kept: nobody can have paid.
    if (flow === 'crypto' && networkOf(network ?? '') === undefined) return { kind: 'failed', code: 'unknown-network' };
    const request: NewPayment = {
      depositId: deposit.depositId,
      paymentMethod: deposit.paymentMethod,
      amountMinor: deposit.amountMinor,
      currency: deposit.currency,
      returnUrl: deposit.returnUrl,
      flow,
      ...(flow === 'crypto' && network !== undefined && { network, coin: deposit.providerOptions['coin'] ?? 'USDT' }),
    };
    const opened = openPayment(request, clock.now());
    const { payment, isNew } = await store.create(opened);
    if (payment.amountMinor !== request.amountMinor || payment.currency !== request.currency) {
      return { kind: 'unknown', code: 'idempotency-conflict' };
    }
    if (isNew) for (const { dueAt } of opened.callbacks) sender.wake(dueAt);
    return answer(scenario, payment, isNew, deposit);
  }

  async function answer(
    scenario: Scenario,
    payment: SandboxPayment,
    isNew: boolean,
    deposit: ProviderDeposit,
  ): Promise<ProviderCreateResult> {
    const { answer: planned } = scenario;
    switch (planned.kind) {
      case 'fail':
        return { kind: 'failed', code: planned.code };
      case 'decline': {
        const { code, message } = planned;
        return {
          kind: 'declined',
          code,
          ...causeOf(code),
          ...(message !== undefined && { message: textsOf(deposit.language).say(message) }),
        };
      }
      case 'hang':
        if (isNew || planned.isUnreachableAfter) {
          await hang(clock, deposit.signal);
          return { kind: 'unknown', code: 'timeout' };
        }
        return created(scenario, payment, deposit);
      case 'accept':
        return created(scenario, payment, deposit);
    }
  }

  function created(scenario: Scenario, payment: SandboxPayment, deposit: ProviderDeposit): ProviderCreateResult {
    const lifetimeSeconds = lifetimeOf(payment, scenario);
    const parts = { payment, deposit, base, merchantName, lifetimeSeconds, texts: textsOf(deposit.language) };
    // Nobody is sent to a page on which there is nothing to decide.
    const shown =
      payment.flow === 'redirect' && !scenario.hasPage ? {} : answerOf(payment.flow, parts, scenario.malformation);
    return { kind: 'created', providerRef: payment.ref, ...shown, lifetimeSeconds };
  }

  async function inquire(query: { readonly depositId: string }): Promise<ProviderEvidence | undefined> {
    const payment = await store.find({ depositId: query.depositId });
    if (payment === undefined) return undefined;
    const { answer: planned } = scenarioNamed(payment.scenario);
    const isSilent = planned.kind === 'hang' && planned.isUnreachableAfter;
    if (isSilent || payment.decision === 'silent') {
      throw new SandboxUnreachableError(`The sandbox does not answer about deposit ${payment.depositId}`);
    }
    const fact = factAt(payment, clock.now());
    return evidenceOf(
      payment,
      fact ?? { eventId: `evt_open_${payment.ref}`, outcome: 'pending', at: payment.createdAt },
    );
  }

  const provider: Provider = {
    name: PROVIDER_NAME,
    create,
    inquire,
    verify: signatures.verify,
    read: readCallback,
    withdrawals: createPayouts({ database, clock, wake: sender.wake }),
    async takeInputs({ providerRef, fields }) {
      const payment = await store.find({ ref: providerRef });
      if (payment === undefined || payment.decision === 'silent') {
        throw new SandboxUnreachableError(`The sandbox takes nothing about ${providerRef}`);
      }
      const refused = refusedInputs(fields);
      if (refused.length > 0) return { kind: 'refused', fields: refused };
      await store.keepInputs(providerRef, fields);
      return { kind: 'taken' };
    },
    async continue({ providerRef, method }) {
      const payment = await store.find({ ref: providerRef });
      if (payment === undefined) return { error: 'unknown-payment' };
      if (!isOpen(payment, clock.now())) return { error: 'offer-expired' };
      if (!isSeller(method)) return { error: 'offer-unknown' };
      const action = base + payPath(payment, pageTexts(undefined, payment.returnUrl));
      // Sellers paid through a bank want a form posted, as many do: the way on then goes through the cashier's own page.
      return {
        redirect: method === 'bank' ? { action, method: 'POST', fields: { order: payment.depositId } } : action,
      };
    },
    async refund({ providerRef, amountMinor }) {
      let isDone = false;
      const changed = await store.change(providerRef, (payment) => {
        if (payment.decision === 'silent') throw new SandboxUnreachableError(`The sandbox is silent on ${providerRef}`);
        const refunded = isPaid(payment, amountMinor, clock.now()) ? refund(payment, clock.now()) : undefined;
        isDone = refunded !== undefined && refunded.change === undefined;
        return refunded?.change;
      });
      if (changed?.isChanged !== true && !isDone) return { kind: 'declined', code: 'not-paid' };
      sender.wake();
      return { kind: 'accepted', isDone };
    },
    async cancel({ providerRef }) {
      const changed = await store.change(providerRef, (payment) => cancel(payment, clock.now()));
      if (changed?.isChanged === true) return sender.wake();
      const isAlreadyCancelled = changed !== undefined && factAt(changed.payment, clock.now())?.outcome === 'cancelled';
      if (!isAlreadyCancelled) throw new Error(`The sandbox cannot cancel ${providerRef} any more`);
    },
  };

  const pages = createPages({
    store,
    clock,
    merchantName,
    wake: sender.wake,
    start: sender.start,
    stop: sender.stop,
  });
  return { provider, pages, deliverDue: sender.deliverDue };
}
