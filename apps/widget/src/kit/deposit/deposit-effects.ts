/** Carries out the effects of core's deposit engine. */
import {
  depositCancel,
  depositPrepare,
  depositStatus,
  sessionFormOnCloseModal,
  type Transaction,
} from '@opencashier/contract/api';
import type { CallFailure } from '@opencashier/core/deposit/create-failure';
import { nextStep } from '@opencashier/core/deposit/next-step';
import type { ApiClient } from '../../api/client.ts';
import { causeOf } from '../engine/call-failure.ts';
import { sentDeposit } from '../idempotency/sent-key.ts';
import { failureCode } from '../session/failure-code.ts';
import type { Services } from '../session/services.tsx';
import { createDeposit } from './create-deposit.ts';
import type { CreateRequest, DepositEffect, DepositEvent, EffectOf, FormDeposit } from './deposit-ports.ts';
import { pendingDeposit } from './pending-deposit.ts';

/** @param fingerprint the same for two presses with the same intent */
export function carryOut(deposit: FormDeposit, effect: DepositEffect, fingerprint: string): void {
  const { services, runner } = deposit;
  const ports = deposit.ports();
  const signal = runner.signal();
  switch (effect.type) {
    case 'show-errors':
      ports.showErrors();
      break;
    case 'claim-deposit-id':
      void claimKey(deposit, effect, fingerprint).then(runner.dispatch);
      break;
    case 'open-window':
      deposit.paymentWindow = ports.openWindow();
      break;
    case 'close-window':
      deposit.paymentWindow?.close();
      deposit.paymentWindow = undefined;
      break;
    case 'prepare':
      runner.follow(
        services.api
          .call(depositPrepare, { paymentMethod: effect.paymentMethod }, { signal })
          .then(({ fields }) => ({ type: 'prepared', run: effect.run, fields })),
        failedAs('prepare-failed', effect.run),
      );
      break;
    case 'run-captcha':
      runner.follow(
        ports.runCaptcha(signal).then((result) => ({ type: 'captcha-done', run: effect.run, result })),
        failedAs('captcha-failed', effect.run),
      );
      break;
    case 'create': {
      const isRepeat = sentDeposit.has(effect.depositId);
      runner.follow(create(deposit, effect), failedAs('create-failed', effect.run), isRepeat);
      break;
    }
    case 'ask-status':
      runner.askStatus(effect.run, (current) => statusOf(services.api, effect, current), effect.afterMs);
      break;
    case 'void-key':
      runner.follow(voidKey(services.api, effect, signal), () => ({ type: 'status-failed', run: effect.run }));
      break;
    case 'clear-former':
      deposit.former.clear({ id: effect.depositId, paymentMethod: effect.paymentMethod });
      break;
    case 'abort':
      runner.abort();
      break;
    case 'notify-session-closed':
      notifySessionClosed(services, effect.paymentMethod, ports.methodText);
      break;
    case 'handle-error':
      ports.handleError(effect.failure, causeOf(effect.failure));
      break;
    case 'report-metric':
      services.metric('deposit.create', effect.outcome);
      break;
    case 'go':
      ports.go(effect.step, deposit.paymentWindow);
      break;
    case 'show-fields':
      // The screen draws the fields from the state.
      break;
  }
}

const failedAs =
  (type: 'prepare-failed' | 'captcha-failed' | 'create-failed', run: number) =>
  (failure: CallFailure): DepositEvent => ({ type, run, failure });

/**
 * DEP-16: one intent has one key in every tab. The server answers a repeat under a key with its first answer, so a create with
 * corrected fields needs a key of its own. The create under the earlier key is cancelled before (`former-key.ts`).
 */
async function claimKey(
  { services: { session, clock }, runner, isPaidOnSight }: FormDeposit,
  { run, depositId: proposed }: EffectOf<'claim-deposit-id'>,
  fingerprint: string,
): Promise<DepositEvent> {
  const state = runner.getState();
  const typed = 'intent' in state ? typedIn(state.intent.request) : undefined;
  const owner = { userId: session.getState().payload.userId, fingerprint };
  const claimed = await pendingDeposit.claim(proposed, owner, clock);
  const isCorrected = claimed !== proposed && sentFields?.depositId === claimed && sentFields.typed !== typed;
  // Only the tab that sent a create may cancel it.
  const isOwn = sentDeposit.has(claimed) || isPaidOnSight;
  if (!isCorrected || !isOwn) return { type: 'claimed', run, depositId: claimed };
  pendingDeposit.forget(claimed);
  pendingDeposit.keep(proposed, owner, clock.now());
  return { type: 'claimed', run, depositId: proposed };
}

/** The fields of the last create of this page. In memory alone, because a short text can be guessed from its stored hash. */
let sentFields: { readonly depositId: string; readonly typed: string } | undefined;

const typedIn = ({ fields }: CreateRequest): string => JSON.stringify(Object.entries(fields ?? {}).sort());

function create(deposit: FormDeposit, { run, depositId, request, captcha }: EffectOf<'create'>): Promise<DepositEvent> {
  const { services, runner, former, isPaidOnSight } = deposit;
  const { api, session } = services;
  const { create: createOfFlow, returnUrl, linkPolicy, hasPage } = deposit.ports();
  const signal = runner.signal();
  const state = runner.getState();
  const isSharedKey = 'isSharedKey' in state && state.isSharedKey;
  sentFields = { depositId, typed: typedIn(request) };
  const body = { ...request, depositId, returnUrl: returnUrl(depositId), ...(captcha && { captcha }) };
  return former.create<DepositEvent>(runner, {
    key: { id: depositId, paymentMethod: request.paymentType },
    userId: session.getState().payload.userId,
    // Nobody can pay to an address that was never shown, so such a deposit needs no cancel.
    isOfOtherTab: isSharedKey || isPaidOnSight,
    async send() {
      const step = createOfFlow
        ? await createOfFlow(body, api, signal)
        : nextStep(await createDeposit(api, body, { signal }), linkPolicy, hasPage);
      return { type: 'created', run, step };
    },
    found: (transaction) => ({ type: 'former-found', run, transaction }),
  });
}

const statusOf = (
  api: ApiClient,
  { depositId, paymentMethod }: EffectOf<'ask-status'>,
  signal: AbortSignal,
): Promise<Transaction> => api.call(depositStatus, { depositId, paymentMethod }, { signal });

async function voidKey(
  api: ApiClient,
  { run, depositId, paymentMethod, ifUnknown }: EffectOf<'void-key'>,
  signal: AbortSignal,
): Promise<DepositEvent> {
  const request = { depositId, paymentMethod, ...(ifUnknown && { ifUnknown }) };
  const { isCancelled, transaction } = await api.call(depositCancel, request, { signal });
  if (isCancelled && (transaction === undefined || !ifUnknown)) return { type: 'key-voided', run };
  return transaction === undefined ? { type: 'status-failed', run } : { type: 'status-found', run, transaction };
}

/** A notice for statistics, never a cancel (DEP-9). The transport sends it even while the page closes. */
function notifySessionClosed(
  { api, session, metric }: Services,
  paymentMethod: string,
  paymentMethodText: string,
): void {
  const { userId } = session.getState().payload;
  const notice = { paymentMethod, paymentMethodText, ...(userId !== undefined && { userId }) };
  api
    .call(sessionFormOnCloseModal, notice)
    .catch((error: unknown) => metric('deposit.session-closed-failed', failureCode(error) ?? 'unexpected'));
}
