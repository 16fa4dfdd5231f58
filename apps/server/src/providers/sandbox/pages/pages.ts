/** The sandbox's website: the routes of the pay page. */
import { checkLink } from '@opencashier/core/links/safe-link';
import type { Clock } from '@opencashier/core/time/clock';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { decide, factAt, isOpen } from '../payments/lifecycle.ts';
import { pageTexts, payPath } from '../payments/pay-path.ts';
import type { SandboxPayment } from '../payments/payment.ts';
import type { PaymentStore } from '../payments/payment-store.ts';
import { type Decision, decisions } from '../payments/scenarios.ts';
import type { SandboxTexts } from '../words/texts.ts';
import { registerControl } from './control-routes.ts';
import { acceptForms, formOf, isOurForm, readPayLess, send } from './page-reply.ts';
import { payPage, resultPage, troublePage } from './pay-page.ts';

export interface PagesParts {
  readonly store: PaymentStore;
  readonly clock: Clock;
  readonly merchantName: string;
  /** New callbacks wait to be sent. */
  readonly wake: () => void;
  /** Starts and stops the sending of callbacks. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

const REF = /^sbx_[0-9a-f]{32}$/;

interface PayRoute {
  Params: { ref: string };
  Querystring: { locale?: unknown };
}

export function createPages({ store, clock, merchantName, wake, start, stop }: PagesParts): FastifyPluginAsync {
  return async (app) => {
    acceptForms(app);
    // The cashier's public address takes callbacks only once the server listens.
    app.addHook('onListen', async () => start());
    app.addHook('onClose', () => stop());

    app.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
      const status = error.statusCode ?? 500;
      if (status >= 500) request.log.error({ err: error, requestId: request.id }, 'sandbox page failed');
      return send(
        reply.code(status),
        troublePage(status >= 500 ? 'fault' : 'unreadable', pageTexts(localeOf(request))),
      );
    });

    const find = async (ref: string): Promise<SandboxPayment | undefined> =>
      REF.test(ref) ? store.find({ ref }) : undefined;

    const show = (reply: FastifyReply, payment: SandboxPayment, texts: SandboxTexts): FastifyReply => {
      const shown = { payment, merchantName, texts };
      const now = clock.now();
      const returnTo = returnAddress(payment);
      return isOpen(payment, now)
        ? send(reply, payPage(shown), returnTo)
        : send(reply, resultPage(shown, factAt(payment, now), returnTo));
    };

    const missing = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
      send(reply.code(404), troublePage('missing', pageTexts(localeOf(request))));

    registerControl(app, { store, clock, wake });

    app.get<PayRoute>('/sandbox/pay/:ref', async (request, reply) => {
      const payment = await find(request.params.ref);
      if (payment === undefined) return missing(request, reply);
      return show(reply, payment, pageTexts(localeOf(request), payment.returnUrl));
    });

    // A payer who was sent by a form arrives here, and is redirected to the same page.
    app.post<PayRoute>('/sandbox/pay/:ref', async (request, reply) => {
      const payment = await find(request.params.ref);
      if (payment === undefined) return missing(request, reply);
      return reply.redirect(payPath(payment, pageTexts(localeOf(request), payment.returnUrl)), 303);
    });

    app.post<PayRoute>('/sandbox/pay/:ref/decision', async (request, reply) => {
      const payment = await find(request.params.ref);
      if (payment === undefined) return missing(request, reply);
      const texts = pageTexts(localeOf(request), payment.returnUrl);
      const form = formOf(request.body);
      if (!isOurForm(form, payment)) {
        return send(reply.code(403), troublePage('foreign', texts));
      }
      const decision = decisions.find((one) => one === form.get('decision'));
      if (decision === undefined) {
        return send(reply.code(400), troublePage('nothingChosen', texts));
      }
      const typed = decision === 'pay-less' ? readPayLess(payment, form.get('amount') ?? '', texts) : undefined;
      if (typed !== undefined && 'message' in typed && isOpen(payment, clock.now())) {
        return send(reply.code(422), payPage({ payment, merchantName, texts }, typed), returnAddress(payment));
      }
      const payLessMinor = typed !== undefined && 'minor' in typed ? typed.minor : undefined;
      const next = await settle(payment, texts, decision, payLessMinor);
      return next === undefined ? missing(request, reply) : reply.redirect(next, 303);
    });

    /** @returns the address to which the payer goes next, or undefined if the payment is gone */
    async function settle(
      payment: SandboxPayment,
      texts: SandboxTexts,
      decision: Decision,
      payLessMinor: bigint | undefined,
    ): Promise<string | undefined> {
      const changed = await store.change(payment.ref, (current) =>
        decide(current, decision, clock.now(), payLessMinor),
      );
      if (changed === undefined) return undefined;
      if (changed.isChanged) wake();
      // A second click gets the answer of the first. A different choice shows what was decided.
      const returnTo = changed.payment.decision === decision ? returnAddress(payment) : undefined;
      const page = payPath(payment, texts);
      return decision === 'abandon' ? page : (returnTo ?? page);
    }
  };
}

/** The language in the address. */
function localeOf({ query }: FastifyRequest): unknown {
  return (query as PayRoute['Querystring']).locale;
}

/** The payer's return address. The cashier has checked it, but a real company would check it again. */
function returnAddress({ returnUrl }: SandboxPayment): string | undefined {
  const link = checkLink(returnUrl, { allowLoopbackHttp: true });
  return link.ok ? link.href : undefined;
}
