/** Carries out the effects of core's deposit engine, each by a function of its own. */
import { depositCancel, depositPrepare, depositStatus, sessionFormOnCloseModal } from '@opencashier/contract/api';
import type { CallFailure } from '@opencashier/core/deposit/create-failure';
import { type NextStep, nextStep } from '@opencashier/core/deposit/next-step';
import { causeOf } from '../engine/call-failure.ts';
import { openPaymentWindow } from '../payment/payment-window.ts';
import { failureCode } from '../session/failure-code.ts';
import { createDeposit } from './create-deposit.ts';
import type { DepositEffect, DepositEvent, DriverPorts, EffectOf, FormDeposit } from './deposit-ports.ts';
import { pendingDeposit } from './pending-deposit.ts';

/** @param fingerprint tells the intent of the press from others */
export function carryOut(deposit: FormDeposit, effect: DepositEffect, fingerprint: string): void {
  const { runner, former } = deposit;
  const ports = deposit.ports();
  switch (effect.type) {
    case 'show-errors':
      ports.showErrors();
      break;
    case 'claim-deposit-id':
      void claimKey(ports, effect, fingerprint).then(runner.dispatch);
      break;
    case 'open-window':
      deposit.paymentWindow = openPaymentWindow(ports.windowText);
      break;
    case 'close-window':
      deposit.paymentWindow?.close();
      deposit.paymentWindow = undefined;
      break;
    case 'prepare':
      runner.follow(prepare(ports, effect, runner.signal()), failedAs('prepare-failed', effect.run));
      break;
    case 'run-captcha':
      runner.follow(runCaptcha(ports, effect, runner.signal()), failedAs('captcha-failed', effect.run));
      break;
    case 'create':
      runner.follow(create(deposit, effect), failedAs('create-failed', effect.run));
      break;
    case 'ask-status': {
      const { depositId, paymentMethod } = effect;
      const ask = (signal: AbortSignal) =>
        ports.services.api.call(depositStatus, { depositId, paymentMethod }, { signal });
      runner.askStatus(effect.run, ask, effect.afterMs);
      break;
    }
    case 'void-key':
      runner.follow(voidKey(ports, effect, runner.signal()), () => ({ type: 'status-failed', run: effect.run }));
      break;
    case 'clear-former':
      former.clear({ id: effect.depositId, paymentMethod: effect.paymentMethod });
      break;
    case 'abort':
      runner.abort();
      break;
    case 'notify-session-closed':
      notifySessionClosed(ports, effect.paymentMethod);
      break;
    case 'handle-error':
      ports.handleError(effect.failure, causeOf(effect.failure));
      break;
    case 'report-metric':
      ports.services.metric('deposit.create', effect.outcome);
      break;
    case 'go':
      ports.go(effect.step, deposit.paymentWindow);
      break;
    case 'show-fields':
      // The screen draws the fields from the state.
      break;
  }
}

type FailedType = 'prepare-failed' | 'captcha-failed' | 'create-failed';

const failedAs =
  (type: FailedType, run: number) =>
  (failure: CallFailure): DepositEvent => ({ type, run, failure });

/** DEP-16: one intent has one key in every tab. */
async function claimKey(
  { services }: DriverPorts,
  { run, depositId: proposed }: EffectOf<'claim-deposit-id'>,
  fingerprint: string,
): Promise<DepositEvent> {
  const { userId } = services.session.get().payload;
  const depositId = await pendingDeposit.claim(proposed, { userId, fingerprint }, services.clock);
  return { type: 'claimed', run, depositId };
}

async function prepare(
  { services }: DriverPorts,
  { run, paymentMethod }: EffectOf<'prepare'>,
  signal: AbortSignal,
): Promise<DepositEvent> {
  const { fields } = await services.api.call(depositPrepare, { paymentMethod }, { signal });
  return { type: 'prepared', run, fields };
}

async function runCaptcha(
  ports: DriverPorts,
  { run }: EffectOf<'run-captcha'>,
  signal: AbortSignal,
): Promise<DepositEvent> {
  return { type: 'captcha-done', run, result: await ports.runCaptcha(signal) };
}

function create(
  { ports: latest, runner, former, isPaidOnSight }: FormDeposit,
  { run, depositId, request, captcha }: EffectOf<'create'>,
): Promise<DepositEvent> {
  const ports = latest();
  const { api, session } = ports.services;
  const signal = runner.signal();
  const state = runner.get();
  const isSharedKey = 'isSharedKey' in state && state.isSharedKey;
  const returnUrl = ports.returnUrl(depositId);
  const body = { ...request, depositId, returnUrl, ...(captcha === undefined ? {} : { captcha }) };
  const sendUsual = async () => nextStep(await createDeposit(api, body, { signal }), ports.linkPolicy, ports.hasPage);
  return former.create<NextStep, DepositEvent>(
    { id: depositId, paymentMethod: request.paymentType },
    session.get().payload.userId,
    {
      runner,
      // An address that was never shown is paid by nobody, so it needs no cancel either.
      isOfOtherTab: isSharedKey || isPaidOnSight,
      send: () => ports.create?.(body, api, signal) ?? sendUsual(),
      answered: (step) => ({ type: 'created', run, step }),
      found: (transaction) => ({ type: 'former-found', run, transaction }),
      failed: failedAs('create-failed', run),
    },
  );
}

async function voidKey(
  { services }: DriverPorts,
  { run, depositId, paymentMethod, ifUnknown }: EffectOf<'void-key'>,
  signal: AbortSignal,
): Promise<DepositEvent> {
  const request = { depositId, paymentMethod, ...(ifUnknown && { ifUnknown }) };
  const { isCancelled, transaction } = await services.api.call(depositCancel, request, { signal });
  if (isCancelled && (transaction === undefined || !ifUnknown)) return { type: 'key-voided', run };
  return transaction === undefined ? { type: 'status-failed', run } : { type: 'status-found', run, transaction };
}

/** DEP-9: a notice for statistics, never a cancel. The transport sends it also when the page goes. */
function notifySessionClosed({ services, methodText }: DriverPorts, paymentMethod: string): void {
  const { userId } = services.session.get().payload;
  const notice = { paymentMethod, paymentMethodText: methodText, ...(userId === undefined ? {} : { userId }) };
  services.api
    .call(sessionFormOnCloseModal, notice)
    .catch((error: unknown) => services.metric('deposit.session-closed-failed', failureCode(error) ?? 'unexpected'));
}
