/** The sandbox company's half that takes payments: the calls of the cashier about a deposit. */
import type { Clock } from '@opencashier/core/time/clock';
import type { DepositReport, Provider, ProviderCreateResult, ProviderDeposit } from '../provider.ts';
import { networkOf } from './coins/networks.ts';
import { answerOf } from './flows/answer.ts';
import { refusedInputs } from './flows/code-pages.ts';
import { chosenNetwork, isSeller } from './flows/crypto.ts';
import { reportOf } from './payments/callback-body.ts';
import { isPaid, refund } from './payments/control.ts';
import { causeOf } from './payments/decline-causes.ts';
import { flowOf } from './payments/flow-names.ts';
import { hang } from './payments/hang.ts';
import { cancel, factAt, isOpen, lifetimeOf, openPayment } from './payments/lifecycle.ts';
import type { Mood } from './payments/mood.ts';
import { pageTexts, payPath } from './payments/pay-path.ts';
import type { NewPayment, SandboxPayment } from './payments/payment.ts';
import type { PaymentStore } from './payments/payment-store.ts';
import { type Scenario, scenarioNamed, scenarioOf } from './payments/scenarios.ts';
import { textsOf } from './words/texts.ts';

export interface Company {
  readonly store: PaymentStore;
  readonly clock: Clock;
  /** New callbacks wait to be sent, at once or from `dueAt` on (milliseconds since the epoch). */
  readonly wake: (dueAt?: number) => void;
  /** The cashier's public address, without a slash at the end. */
  readonly base: string;
  readonly merchantName: string;
  /** The connection of an operator. Absent: the account in the settings of the server. */
  readonly account?: string;
  /** Absent: `well`. */
  readonly mood?: Mood;
}

/** The company does not answer. The outcome is then unknown to its caller. */
class SandboxUnreachableError extends Error {
  override readonly name = 'SandboxUnreachableError';
}

type PaymentCalls = Required<Pick<Provider, 'create' | 'inquire' | 'takeInputs' | 'continue' | 'refund' | 'cancel'>>;

export function createPaymentCalls(company: Company): PaymentCalls {
  return {
    create: (deposit) => create(company, deposit),
    inquire: (query) => inquire(company, query.depositId),
    takeInputs: ({ providerRef, fields }) => takeInputs(company, providerRef, fields),
    continue: ({ providerRef, method }) => continueWith(company, providerRef, method),
    refund: ({ providerRef, amountMinor }) => refundPayment(company, providerRef, amountMinor),
    cancel: ({ providerRef }) => cancelPayment(company, providerRef),
  };
}

async function create(company: Company, deposit: ProviderDeposit): Promise<ProviderCreateResult> {
  const { store, clock, mood } = company;
  if (mood === 'down') return { kind: 'failed', code: 'sandbox-down' };
  if (mood === 'slow') await hang(clock, deposit.signal);
  const scenario = scenarioOf(deposit.amountMinor);
  if (scenario.answer.kind === 'fail') return { kind: 'failed', code: scenario.answer.code };
  const request = requestOf(deposit, company.account);
  // Nothing was stored yet, so nobody can have paid.
  if (typeof request === 'string') return { kind: 'failed', code: request };
  const opened = openPayment(request, clock.now());
  const { payment, isNew } = await store.create(deposit.operatorId, opened);
  if (payment.amountMinor !== request.amountMinor || payment.currency !== request.currency) {
    return { kind: 'unknown', code: 'idempotency-conflict' };
  }
  if (isNew) for (const { dueAt } of opened.callbacks) company.wake(dueAt);
  if (mood === 'lying') return { kind: 'failed', code: 'sandbox-lied' };
  return answerCreate(company, scenario, payment, isNew, deposit);
}

/** The payment that a deposit asks for, or the code of what the company does not know. */
function requestOf(
  deposit: ProviderDeposit,
  account: string | undefined,
): NewPayment | 'unknown-flow' | 'unknown-network' {
  const flow = flowOf(deposit.providerOptions);
  if (flow === undefined) return 'unknown-flow';
  const network = chosenNetwork(deposit);
  if (flow === 'crypto' && networkOf(network ?? '') === undefined) return 'unknown-network';
  return {
    depositId: deposit.depositId,
    paymentMethod: deposit.paymentMethod,
    amountMinor: deposit.amountMinor,
    currency: deposit.currency,
    returnUrl: deposit.returnUrl,
    flow,
    ...(account !== undefined && { account }),
    ...(flow === 'crypto' && network !== undefined && { network, coin: deposit.providerOptions['coin'] ?? 'USDT' }),
  };
}

async function answerCreate(
  company: Company,
  scenario: Scenario,
  payment: SandboxPayment,
  isNew: boolean,
  deposit: ProviderDeposit,
): Promise<ProviderCreateResult> {
  const { answer } = scenario;
  switch (answer.kind) {
    case 'fail':
      return { kind: 'failed', code: answer.code };
    case 'decline': {
      const { code, message } = answer;
      return {
        kind: 'declined',
        code,
        ...causeOf(code),
        ...(message !== undefined && { message: textsOf(deposit.language).say(message) }),
      };
    }
    case 'hang':
      if (isNew || answer.isUnreachableAfter) {
        await hang(company.clock, deposit.signal);
        return { kind: 'unknown', code: 'timeout' };
      }
      return created(company, scenario, payment, deposit);
    case 'accept':
      return created(company, scenario, payment, deposit);
  }
}

function created(
  { base, merchantName }: Company,
  scenario: Scenario,
  payment: SandboxPayment,
  deposit: ProviderDeposit,
): ProviderCreateResult {
  const lifetimeSeconds = lifetimeOf(payment, scenario);
  const parts = { payment, deposit, base, merchantName, lifetimeSeconds, texts: textsOf(deposit.language) };
  // A payment that is decided without a page gets no address of a page.
  const shown =
    payment.flow === 'redirect' && !scenario.hasPage ? {} : answerOf(payment.flow, parts, scenario.malformation);
  return { kind: 'created', providerRef: payment.ref, ...shown, lifetimeSeconds };
}

async function inquire({ store, clock }: Company, depositId: string): Promise<DepositReport | undefined> {
  const payment = await store.find({ depositId });
  if (payment === undefined) return undefined;
  const { answer } = scenarioNamed(payment.scenario);
  const isSilent = answer.kind === 'hang' && answer.isUnreachableAfter;
  if (isSilent || payment.decision === 'silent') {
    throw new SandboxUnreachableError(`The sandbox does not answer about deposit ${depositId}`);
  }
  const fact = factAt(payment, clock.now());
  return reportOf(payment, fact ?? { eventId: `evt_open_${payment.ref}`, outcome: 'pending', at: payment.createdAt });
}

async function takeInputs(
  { store }: Company,
  providerRef: string,
  fields: Readonly<Record<string, string>>,
): ReturnType<PaymentCalls['takeInputs']> {
  const payment = await store.find({ ref: providerRef });
  if (payment === undefined || payment.decision === 'silent') {
    throw new SandboxUnreachableError(`The sandbox does not answer about payment ${providerRef}`);
  }
  const refused = refusedInputs(fields);
  if (refused.length > 0) return { kind: 'refused', fields: refused };
  await store.keepInputs(providerRef, fields);
  return { kind: 'taken' };
}

async function continueWith(
  { store, clock, base }: Company,
  providerRef: string,
  method: string | undefined,
): ReturnType<PaymentCalls['continue']> {
  const payment = await store.find({ ref: providerRef });
  if (payment === undefined) return { error: 'unknown-payment' };
  if (!isOpen(payment, clock.now())) return { error: 'offer-expired' };
  if (!isSeller(method)) return { error: 'offer-unknown' };
  const action = base + payPath(payment, pageTexts(undefined, payment.returnUrl));
  // The seller that is paid through a bank takes a form by POST. So the tests also cover the cashier's page that posts such a form.
  return { redirect: method === 'bank' ? { action, method: 'POST', fields: { order: payment.depositId } } : action };
}

async function refundPayment(
  { store, clock, wake }: Company,
  providerRef: string,
  amountMinor: bigint,
): ReturnType<PaymentCalls['refund']> {
  let isDone = false;
  let isDeclined = false;
  const changed = await store.change(providerRef, (payment) => {
    if (payment.decision === 'silent') {
      throw new SandboxUnreachableError(`The sandbox does not answer about payment ${providerRef}`);
    }
    isDeclined = scenarioNamed(payment.scenario).isRefundDeclined === true;
    if (isDeclined) return undefined;
    const refunded = isPaid(payment, amountMinor, clock.now()) ? refund(payment, clock.now()) : undefined;
    isDone = refunded !== undefined && refunded.change === undefined;
    return refunded?.change;
  });
  if (isDeclined) return { kind: 'declined', code: 'refund-declined' };
  if (changed?.isChanged !== true && !isDone) return { kind: 'declined', code: 'not-paid' };
  wake();
  return { kind: 'accepted', isDone };
}

async function cancelPayment({ store, clock, wake }: Company, providerRef: string): Promise<void> {
  const changed = await store.change(providerRef, (payment) => cancel(payment, clock.now()));
  if (changed?.isChanged === true) return wake();
  const isAlreadyCancelled = changed !== undefined && factAt(changed.payment, clock.now())?.outcome === 'cancelled';
  if (!isAlreadyCancelled) throw new Error(`The sandbox cannot cancel ${providerRef} any more`);
}
