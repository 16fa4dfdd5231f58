/** `trigger`: makes a real payment in the sandbox that ends as asked, and follows its webhook to your backend. */
import { randomUUID } from 'node:crypto';
import { createOperatorClient, type OperatorClient } from '../operator-client.ts';
import { TriggerError } from './trigger-error.ts';
import {
  funding,
  secondsToExpiry,
  type TriggerPlan,
  type TriggerType,
  triggers,
  usualMethods,
} from './trigger-plans.ts';
import { decideReview, lookEveryMs, mostLooks, requireApprovalRule } from './trigger-staff.ts';

export interface TriggerOptions {
  readonly cashierUrl: string;
  readonly operatorKey: string;
  readonly type: TriggerType;
  readonly userId: string;
  readonly currency: string;
  readonly country: string;
  /** Absent: a card. */
  readonly method?: string | undefined;
  /** What the user enters in the form of the method, by the names of its fields. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Whether the time of the sandbox may be moved ahead, which nothing turns back. Only an expiry needs it. */
  readonly mayAdvanceClock?: boolean | undefined;
}

/** What a test replaces. */
export interface Surroundings {
  readonly fetch: typeof globalThis.fetch;
  readonly print: (line: string) => void;
  readonly pause: (milliseconds: number) => Promise<void>;
}

const patienceMs = 10_000;

/** A payment, as the list of deliveries names it. */
type PaymentId = { readonly depositId: string } | { readonly withdrawalId: string };

/** The sandbox, with the rights of the operator. */
interface Sandbox {
  readonly address: string;
  readonly client: OperatorClient;
  readonly surroundings: Surroundings;
}

/**
 * Carries out the command.
 *
 * @returns whether your backend has taken the webhook
 * @throws TriggerError when there is no sandbox, or the payment cannot be made; CashierError for a failed call of the operator API
 */
export async function trigger(options: TriggerOptions, surroundings: Surroundings): Promise<boolean> {
  const { cashierUrl, operatorKey, type } = options;
  const address = cashierUrl.replace(/\/+$/, '');
  const { fetch, print } = surroundings;
  await requireSandbox(address, fetch);
  const client = createOperatorClient({ cashierUrl, operatorKey, fetch, pause: surroundings.pause });
  const sandbox = { address, client, surroundings };
  const plan: TriggerPlan = triggers[type];
  if (plan.after === 'expire' && options.mayAdvanceClock !== true) throw new TriggerError(clockIsNeeded);
  if (plan.waitsFor === 'approval') await requireApprovalRule(client, options.currency, plan.amount);
  const payment = await (plan.payment === 'deposit'
    ? deposit(sandbox, options, plan)
    : withdrawal(sandbox, options, plan));
  if (payment === undefined) return notQueued(print);
  const delivery = await follow(sandbox, type, payment, 'delivered');
  if (plan.waitsFor !== undefined && 'withdrawalId' in payment) await endWaiting(sandbox, options, plan, payment);
  if (delivery === undefined) return notQueued(print);
  const { status, error } = delivery.lastAttempt ?? {};
  const answer = status === undefined ? (error ?? 'no attempt yet') : `status ${status}`;
  print(`Webhook ${type}, webhook-id ${delivery.id}: ${delivery.status} (${answer}).`);
  if (delivery.status === 'delivered') return true;
  print('Your backend has not taken the webhook. The cashier sends it again, later each time.');
  return false;
}

const minutesToExpiry = secondsToExpiry / 60;
const clockIsNeeded =
  'withdrawal.expired comes 15 minutes after a withdrawal that its user does not confirm. With --advance-clock the command moves ' +
  `the time of the whole sandbox ${minutesToExpiry} minutes ahead, and nothing turns it back.`;

/** What may help when the cashier refuses a call of the payment that was asked for. */
const otherPayment =
  'Another method, form, currency or country may be offered: --method, --fields, --currency, --country.';
/** The same for the deposit that pays for a withdrawal. No option chooses its method and amount. */
const otherFunding =
  `A deposit of ${funding} by ${usualMethods.deposit.name} pays for the withdrawal, whatever --method is. ` +
  'Choose a currency and a country that offer it: --currency, --country. ' +
  'Or change the limits of the method: `opencashier catalogue`.';

/** The limits of calls count for each user. */
const tooMany =
  'This user has made too many payments for now. Choose another user: --user. Or wait, as the answer says.';

/**
 * @param help what to do when the cashier refuses the deposit
 * @returns undefined: the cashier has queued no webhook of the credit
 */
async function deposit(
  sandbox: Sandbox,
  options: TriggerOptions,
  plan: TriggerPlan,
  help = otherPayment,
): Promise<PaymentId | undefined> {
  const { client, surroundings } = sandbox;
  const { currency, userId, country, method = usualMethods.deposit.name, fields = {} } = options;
  const depositId = randomUUID();
  const body = { amount: plan.amount, currency, paymentType: method, selectedCountry: country, fields };
  await call(sandbox, options, 'deposit-create', { depositId, ...body }, help);
  surroundings.print(`Deposit ${depositId}: ${plan.amount} ${currency} by ${method} for the user ${userId}.`);
  if (plan.after === 'cancel') {
    await call(sandbox, options, 'deposit-cancel', { depositId, paymentMethod: method });
    surroundings.print('The user cancels the deposit.');
  }
  if (plan.after === 'refund') {
    if ((await follow(sandbox, 'deposit.processed', { depositId }, 'queued')) === undefined) return undefined;
    const refundId = randomUUID();
    await client.refundDeposit({ depositId, refundId, staff: 'trigger', reason: 'trigger' });
    surroundings.print(`Refund ${refundId}: the whole deposit, decided by your staff.`);
  }
  if (plan.after === 'credit' && !(await decideReview(sandbox, depositId, 'credit'))) return undefined;
  return { depositId };
}

/** @returns undefined: the cashier has queued no webhook of the deposit that pays for the withdrawal */
async function withdrawal(
  sandbox: Sandbox,
  options: TriggerOptions,
  plan: TriggerPlan,
): Promise<PaymentId | undefined> {
  const { print } = sandbox.surroundings;
  const { currency, userId, country } = options;
  const usual = usualMethods[plan.waitsFor === 'code' ? 'code' : 'withdrawal'];
  const { method = usual.name, fields = method === usual.name ? usual.fields : {} } = options;
  const paidBy = { ...options, method: undefined, fields: undefined };
  const funded = await deposit(sandbox, paidBy, { payment: 'deposit', amount: funding }, otherFunding);
  if (funded === undefined || (await follow(sandbox, 'deposit.processed', funded, 'queued')) === undefined)
    return undefined;
  const withdrawalId = randomUUID();
  const { confirmation } = await call(sandbox, options, 'withdrawal-create', {
    withdrawalId,
    amount: plan.amount,
    currency,
    paymentMethod: method,
    fields,
    selectedCountry: country,
  });
  print(
    `Withdrawal ${withdrawalId}: ${plan.amount} ${currency} by ${method} for the user ${userId}. The amount is held.`,
  );
  const isDone = await goOn(sandbox, options, plan, { withdrawalId, isCodeNeeded: confirmation !== undefined });
  return isDone ? { withdrawalId } : undefined;
}

/**
 * What the user and your staff do with a withdrawal that is held.
 *
 * @returns false: the cashier has opened no review
 */
async function goOn(
  sandbox: Sandbox,
  options: TriggerOptions,
  { after, waitsFor }: TriggerPlan,
  { withdrawalId, isCodeNeeded }: { readonly withdrawalId: string; readonly isCodeNeeded: boolean },
): Promise<boolean> {
  const { client, surroundings } = sandbox;
  const cancel = () => call(sandbox, options, 'withdrawal-cancel', { withdrawalId });
  if (after === 'cancel') {
    await cancel();
    surroundings.print('The user cancels the withdrawal.');
    return true;
  }
  if (after === 'expire') {
    await client.advanceSandboxClock({ seconds: secondsToExpiry });
    surroundings.print(`The time of the sandbox is ${minutesToExpiry} minutes ahead, and nobody has confirmed.`);
    return true;
  }
  if (isCodeNeeded !== (waitsFor === 'code')) {
    await cancel();
    surroundings.print('The withdrawal is cancelled, so its amount is free again.');
    throw new TriggerError(isCodeNeeded ? codeIsInTheWay : codeIsMissing);
  }
  if (isCodeNeeded) return true;
  await call(sandbox, options, 'withdrawal-confirm', { withdrawalId });
  surroundings.print('The user confirms the withdrawal.');
  return after !== 'charge' || (await decideReview(sandbox, withdrawalId, 'charge'));
}

const rulesOfCodes = 'Or change the rules of codes: `opencashier update-operator` with --codes.';
const codeIsInTheWay =
  'This withdrawal needs a confirmation code, which only the user gets. Choose another method: --method. ' +
  rulesOfCodes;
const codeIsMissing = `A withdrawal by this method needs no confirmation code. Leave --method out. ${rulesOfCodes}`;

/** Ends a withdrawal that was made only to wait, so that its amount is free again. */
async function endWaiting(
  sandbox: Sandbox,
  options: TriggerOptions,
  { waitsFor }: TriggerPlan,
  { withdrawalId }: { readonly withdrawalId: string },
): Promise<void> {
  const { client, surroundings } = sandbox;
  if (waitsFor === 'code') {
    await call(sandbox, options, 'withdrawal-cancel', { withdrawalId });
    surroundings.print('The user cancels the withdrawal.');
    return;
  }
  await client.declineWithdrawal({ withdrawalId, decisionId: randomUUID(), decidedBy: 'trigger', reason: 'trigger' });
  surroundings.print('Your staff decline the withdrawal, so its amount is free again.');
}

/** Outside a sandbox the payment would be real. */
async function requireSandbox(address: string, send: typeof globalThis.fetch): Promise<void> {
  const answer = await ask(send, `${address}/sandbox/rates`, {});
  if (answer.ok) return;
  throw new TriggerError(`${address} is no sandbox. Start a cashier with SANDBOX=1, and name it in CASHIER_URL.`);
}

/** One call of the widget, as the user. */
async function call(
  { address, client, surroundings }: Sandbox,
  { userId, currency, country }: TriggerOptions,
  name: string,
  body: object,
  help = otherPayment,
): Promise<Readonly<Record<string, unknown>>> {
  const { token } = await client.createUserToken({ userId, currency, country });
  const answer = await ask(surroundings.fetch, `${address}/api/BANKING/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.ok) return (await answer.json()) as Readonly<Record<string, unknown>>;
  const advice = answer.status === 429 ? tooMany : help;
  throw new TriggerError(`The cashier refused ${name} (${answer.status}): ${await answer.text()}\n${advice}`);
}

async function ask(send: typeof globalThis.fetch, address: string, init: RequestInit): Promise<Response> {
  try {
    return await send(address, { ...init, redirect: 'error', signal: AbortSignal.timeout(patienceMs) });
  } catch (cause) {
    throw new TriggerError(`${address} did not answer. Does the cashier run there?`, { cause });
  }
}

/**
 * Waits until the webhook of this payment is delivered, or at least queued, or the looks are used up.
 *
 * @returns undefined: it is not queued
 */
async function follow(
  { client, surroundings }: Sandbox,
  type: string,
  payment: PaymentId,
  until: 'queued' | 'delivered',
) {
  const isOfPayment = (delivery: { readonly depositId?: string; readonly withdrawalId?: string }) =>
    'depositId' in payment ? delivery.depositId === payment.depositId : delivery.withdrawalId === payment.withdrawalId;
  let latest: Awaited<ReturnType<OperatorClient['listWebhookDeliveries']>>['deliveries'][number] | undefined;
  for (let look = 0; look < mostLooks; look += 1) {
    const { deliveries } = await client.listWebhookDeliveries({ type });
    latest = deliveries.find(isOfPayment);
    if (latest !== undefined && (until === 'queued' || latest.status === 'delivered')) return latest;
    await surroundings.pause(lookEveryMs);
  }
  return latest;
}

function notQueued(print: (line: string) => void): boolean {
  print(
    'The cashier has queued no webhook. Has your operator a webhook address, and does no approval or review wait? See `opencashier help create-operator` and `opencashier show <id>`.',
  );
  return false;
}
