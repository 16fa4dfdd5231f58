/** The sandbox's web site: the pay page and the form that it posts. */
import { checkLink } from '@opencashier/core/links/safe-link';
import type { Clock } from '@opencashier/core/time/clock';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { registerControl } from './control-routes.ts';
import { decide, factAt, isOpen } from './lifecycle.ts';
import { formOf, isOurForm, readPayLess, send } from './page-reply.ts';
import { payPage, resultPage, troublePage } from './pay-page.ts';
import type { SandboxPayment } from './payment.ts';
import type { PaymentStore } from './payment-store.ts';
import { type Decision, decisions } from './scenarios.ts';

export interface PagesParts {
  readonly store: PaymentStore;
  readonly clock: Clock;
  readonly merchantName: string;
  /** New call-backs are waiting. */
  readonly wake: () => void;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

/** Larger than any form of ours. */
const FORM_LIMIT_BYTES = 16_384;
const REF = /^sbx_[0-9a-f]{32}$/;

interface PayRoute {
  Params: { ref: string };
}

export function createPages({ store, clock, merchantName, wake, start, stop }: PagesParts): FastifyPluginAsync {
  return async (app) => {
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    // Call-backs go to the cashier's public address, which answers only once the server listens.
    app.addHook('onListen', async () => start());
    app.addHook('onClose', () => stop());

    app.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
      const status = error.statusCode ?? 500;
      if (status >= 500) request.log.error({ err: error }, 'sandbox page failed');
      const isOurs = status >= 500;
      return send(
        reply.code(status),
        isOurs
          ? troublePage('Something went wrong', 'Nothing was decided. Please try again in a moment.')
          : troublePage('This form cannot be read', 'Go back to the payment and choose again.'),
      );
    });

    const find = async (ref: string): Promise<SandboxPayment | undefined> =>
      REF.test(ref) ? store.find({ ref }) : undefined;

    const show = (reply: FastifyReply, payment: SandboxPayment): FastifyReply => {
      const now = clock.now();
      const returnTo = returnAddress(payment);
      return isOpen(payment, now)
        ? send(reply, payPage(payment, merchantName), returnTo)
        : send(reply, resultPage(payment, factAt(payment, now), merchantName, returnTo));
    };

    const missing = (reply: FastifyReply): FastifyReply =>
      send(
        reply.code(404),
        troublePage('No such payment', 'The address is wrong, or the payment was never made here.'),
      );

    registerControl(app, { store, clock, wake });

    app.get<PayRoute>('/sandbox/pay/:ref', async ({ params }, reply) => {
      const payment = await find(params.ref);
      return payment === undefined ? missing(reply) : show(reply, payment);
    });

    // A method that sends the payer over by a form arrives here; from there on it is the page like any other.
    app.post<PayRoute>('/sandbox/pay/:ref', async ({ params }, reply) => {
      const payment = await find(params.ref);
      return payment === undefined ? missing(reply) : reply.redirect(pagePath(payment), 303);
    });

    app.post<PayRoute>('/sandbox/pay/:ref/decision', async ({ params, body }, reply) => {
      const payment = await find(params.ref);
      if (payment === undefined) return missing(reply);
      const form = formOf(body);
      if (!isOurForm(form, payment)) {
        return send(reply.code(403), troublePage('This form is not ours', 'Go back to the payment and choose there.'));
      }
      const decision = decisions.find((one) => one === form.get('decision'));
      if (decision === undefined) {
        return send(reply.code(400), troublePage('Nothing was chosen', 'Go back to the payment and choose again.'));
      }
      const typed = decision === 'pay-less' ? readPayLess(payment, form.get('amount') ?? '') : undefined;
      if (typed !== undefined && 'message' in typed && isOpen(payment, clock.now())) {
        return send(reply.code(422), payPage(payment, merchantName, typed), returnAddress(payment));
      }
      const payLessMinor = typed !== undefined && 'minor' in typed ? typed.minor : undefined;
      return settle(reply, payment, decision, payLessMinor);
    });

    async function settle(
      reply: FastifyReply,
      payment: SandboxPayment,
      decision: Decision,
      payLessMinor: bigint | undefined,
    ): Promise<FastifyReply> {
      const changed = await store.change(payment.ref, (current) =>
        decide(current, decision, clock.now(), payLessMinor),
      );
      if (changed === undefined) return missing(reply);
      if (changed.isChanged) wake();
      // A second click gets the answer of the first; whoever comes with another choice sees what has been decided.
      const returnTo = changed.payment.decision === decision ? returnAddress(payment) : undefined;
      return reply.redirect(decision === 'abandon' ? pagePath(payment) : (returnTo ?? pagePath(payment)), 303);
    }
  };
}

export const pagePath = ({ ref }: SandboxPayment): string => `/sandbox/pay/${ref}`;

/** Where the person goes back to. The cashier has checked it already; a company of its own would check it again. */
function returnAddress({ returnUrl }: SandboxPayment): string | undefined {
  const link = checkLink(returnUrl, { allowLoopbackHttp: true });
  return link.ok ? link.href : undefined;
}
