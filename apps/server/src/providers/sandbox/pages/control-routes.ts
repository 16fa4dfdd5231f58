/** The routes of the control page. Anybody who knows the reference or the deposit id may use it, because no real money moves. */
import type { Clock } from '@opencashier/core/time/clock';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isUuid } from '../../../database/uuid.ts';
import {
  type ControlAction,
  type ControlInput,
  control,
  controlActions,
  possibleActions,
} from '../payments/control.ts';
import type { SandboxPayment } from '../payments/payment.ts';
import type { PaymentStore } from '../payments/payment-store.ts';
import { controlPage } from './control-page.ts';
import { formOf, isOurForm, readPayLess, readPayMore, readSeen, send, type TypedAmount } from './page-reply.ts';
import { troublePage } from './pay-page.ts';

export interface ControlParts {
  readonly store: PaymentStore;
  readonly clock: Clock;
  /** New callbacks wait to be sent. */
  readonly wake: () => void;
}

const REF = /^sbx_[0-9a-f]{32}$/;

export const controlPath = ({ ref }: Pick<SandboxPayment, 'ref'>): string => `/sandbox/control/${ref}`;

interface ControlRoute {
  Params: { ref: string };
}

export function registerControl(app: FastifyInstance, { store, clock, wake }: ControlParts): void {
  const find = async (ref: string): Promise<SandboxPayment | undefined> =>
    REF.test(ref) ? store.find({ ref }) : undefined;

  app.get<{ Querystring: { depositId?: unknown } }>('/sandbox/payments', async ({ query }, reply) => {
    const { depositId } = query;
    const isId = typeof depositId === 'string' && isUuid(depositId);
    const payment = isId ? await store.find({ depositId }) : undefined;
    return payment === undefined ? missing(reply) : reply.redirect(controlPath(payment), 303);
  });

  app.get<ControlRoute>('/sandbox/control/:ref', async ({ params }, reply) => {
    const payment = await find(params.ref);
    return payment === undefined ? missing(reply) : send(reply, controlPage(payment, clock.now()));
  });

  app.post<ControlRoute>('/sandbox/control/:ref', async ({ params, body }, reply) => {
    const payment = await find(params.ref);
    if (payment === undefined) return missing(reply);
    const form = formOf(body);
    if (!isOurForm(form, payment)) {
      return send(reply.code(403), troublePage('foreign'));
    }
    const action = controlActions.find((one) => one === form.get('action'));
    if (action === undefined) {
      return send(reply.code(400), troublePage('nothingChosen'));
    }
    const typed = amountReaders[action]?.(payment, form.get('amount') ?? '');
    if (typed !== undefined && 'message' in typed && possibleActions(payment, clock.now()).includes(action)) {
      return send(reply.code(422), controlPage(payment, clock.now(), { ...typed, action }));
    }
    const input: ControlInput = {
      ...(typed !== undefined && 'minor' in typed && { paidMinor: typed.minor }),
      blocks: blocksOf(form.get('blocks')),
    };
    const changed = await store.change(payment.ref, (current) => control(current, action, clock.now(), input));
    if (changed === undefined) return missing(reply);
    if (changed.isChanged) wake();
    return reply.redirect(controlPath(payment), 303);
  });
}

/** The actions that take an amount. */
const amountReaders: Readonly<Partial<Record<ControlAction, (payment: SandboxPayment, typed: string) => TypedAmount>>> =
  { 'pay-less': readPayLess, 'pay-more': readPayMore, 'pay-again': readSeen, seen: readSeen };

/** The number of blocks, at least 1. Anything else than a number counts as 1. */
function blocksOf(typed: string | null): number {
  return typed !== null && /^\d{1,3}$/.test(typed) ? Math.max(1, Number(typed)) : 1;
}

function missing(reply: FastifyReply): FastifyReply {
  return send(reply.code(404), troublePage('missing'));
}
