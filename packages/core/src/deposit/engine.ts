import type { FormField, Transaction } from '@opencashier/contract/api';
import { statusOfCode, type TransactionStatus } from '../transaction/status.ts';
import { type CallFailure, isPermanentRefusal, meaningOfFailure } from './create-failure.ts';
import {
  type CompleteStep,
  type EngineEffect,
  type EngineEvent,
  type EngineState,
  isBusy,
  type Run,
  type Transition,
} from './engine-state.ts';
import { DATA_NULL_MESSAGE, type NextStep } from './next-step.ts';

/** How often the engine asks for the status while the outcome is unknown, in milliseconds. */
export const CHECK_INTERVAL_MS = 5000;

/** The state of an engine that has not started. */
export function initialEngineState<Request>(): EngineState<Request> {
  return { at: 'idle', run: 0 };
}

/** The failure of a call that was not sent, or that can no longer arrive. */
const lostResponse: CallFailure = { code: 'socket.networkError' };

/**
 * The deposit that may already be paid, with its known status. Undefined when no call left the
 * device or no deposit can exist.
 */
export function knownDeposit(
  state: EngineState<unknown>,
): { readonly depositId: string; readonly status: TransactionStatus } | undefined {
  switch (state.at) {
    case 'checking':
      return { depositId: state.intent.depositId, status: 'waiting' };
    case 'creating':
      // The session is closed, so nobody receives the response of the call.
      return state.isSessionClosed ? { depositId: state.intent.depositId, status: 'waiting' } : undefined;
    case 'done':
      // The deposit found by the engine may belong to an earlier press.
      return state.step.kind === 'complete' ? state.step : { depositId: state.depositId, status: 'waiting' };
    default:
      return undefined;
  }
}

/**
 * The key for the next submit (DEP-16). The current key stays while the same intent is completed or repeated; otherwise
 * a new key is made. A changed amount, method, wallet or bonus makes a different intent: `isSameIntent` is then false.
 */
export function depositIdForSubmit(state: EngineState<unknown>, isSameIntent: boolean, makeId: () => string): string {
  const keeps = state.at === 'needs-fields' || (state.at === 'failed' && state.keepsId);
  return keeps && isSameIntent ? state.depositId : makeId();
}

/**
 * The deposit engine (DEP-1): validate, prepare if needed, captcha if needed, create.
 * The function is pure: the same state and event give the same result, and every effect is data.
 * An event that does not belong to the state changes nothing.
 */
export function transition<Request>(state: EngineState<Request>, event: EngineEvent<Request>): Transition<Request> {
  switch (event.type) {
    case 'submit':
      return submit(state, event);
    case 'cancel':
      return cancel(state);
    case 'close':
      return close(state);
    case 'reset':
      return isBusy(state) ? stay(state) : { state: { at: 'idle', run: state.run }, effects: [] };
    default:
      return event.run === state.run ? settle(state, event) : stay(state);
  }
}

function stay<Request>(state: EngineState<Request>): Transition<Request> {
  return { state, effects: [] };
}

function submit<Request>(
  state: EngineState<Request>,
  { intent, isValid }: Extract<EngineEvent<Request>, { type: 'submit' }>,
): Transition<Request> {
  if (isBusy(state)) return stay(state);
  if (!isValid) return { state, effects: [{ type: 'show-errors' }] };
  const run: Run<Request> = {
    run: state.run + 1,
    intent,
    captcha: undefined,
    hasRerunCaptcha: false,
    hasReplayed: false,
    isSessionClosed: false,
    isSharedKey: false,
    lastFailure: lostResponse,
  };
  const effects: EngineEffect<Request>[] = [];
  // A browser allows a new window only during the click, so the window opens before any slow step.
  // With a captcha the window opens at the last click of the captcha. An earlier window would cover the captcha.
  if (intent.opensWindow && !intent.needsCaptcha) effects.push({ type: 'open-window' });
  effects.push({ type: 'claim-deposit-id', run: run.run, depositId: intent.depositId });
  return { state: { ...run, at: 'claiming' }, effects };
}

function claimed<Request>(run: Run<Request>, depositId: string): Transition<Request> {
  const isSharedKey = depositId !== run.intent.depositId;
  const owned = { ...run, isSharedKey, intent: { ...run.intent, depositId } };
  return owned.intent.needsPreparation ? prepare(owned) : afterPreparation(owned);
}

function prepare<Request>(run: Run<Request>): Transition<Request> {
  return {
    state: { ...run, at: 'preparing' },
    effects: [{ type: 'prepare', run: run.run, paymentMethod: run.intent.paymentMethod }],
  };
}

function afterPreparation<Request>(run: Run<Request>): Transition<Request> {
  return run.intent.needsCaptcha ? runCaptcha(run) : create(run);
}

function runCaptcha<Request>(run: Run<Request>): Transition<Request> {
  return { state: { ...run, at: 'captcha' }, effects: [{ type: 'run-captcha', run: run.run }] };
}

function afterCaptcha<Request>(run: Run<Request>): Transition<Request> {
  const { state, effects } = create(run);
  return { state, effects: run.intent.opensWindow ? [{ type: 'open-window' }, ...effects] : effects };
}

function create<Request>(run: Run<Request>): Transition<Request> {
  const { depositId, request } = run.intent;
  return {
    state: { ...run, at: 'creating' },
    effects: [{ type: 'create', run: run.run, depositId, request, captcha: run.captcha }],
  };
}

type Result<Request> = Extract<EngineEvent<Request>, { run: number }>;

function settle<Request>(state: EngineState<Request>, event: Result<Request>): Transition<Request> {
  switch (state.at) {
    case 'claiming':
      return event.type === 'claimed' ? claimed(state, event.depositId) : stay(state);
    case 'preparing':
      if (event.type === 'prepared') return prepared(state, event.fields);
      return event.type === 'prepare-failed' ? fail(state, event.failure, true) : stay(state);
    case 'captcha':
      if (event.type === 'captcha-done') return afterCaptcha({ ...state, captcha: event.result });
      return event.type === 'captcha-failed' ? fail(state, event.failure, true) : stay(state);
    case 'creating':
      if (event.type === 'created') return succeed(state, event.step);
      if (event.type === 'former-found') return showFormer(state, event.transaction);
      return event.type === 'create-failed' ? createFailed(state, event.failure) : stay(state);
    case 'checking':
      return settleCheck({ ...state, at: 'checking' }, event);
    default:
      return stay(state);
  }
}

function prepared<Request>(run: Run<Request>, fields: readonly FormField[] | undefined): Transition<Request> {
  return fields === undefined || fields.length === 0 ? afterPreparation(run) : needFields(run, fields);
}

function needFields<Request>(run: Run<Request>, fields: readonly FormField[]): Transition<Request> {
  return {
    state: { at: 'needs-fields', run: run.run, depositId: run.intent.depositId, fields },
    effects: [{ type: 'close-window' }, { type: 'show-fields', fields }],
  };
}

function succeed<Request>(run: Run<Request>, step: NextStep): Transition<Request> {
  if (step.kind === 'fields') return needFields(run, step.fields);
  // The deposit exists but cannot be shown. It must be cancelled before another deposit is created.
  if (step.kind === 'failure')
    return voidKey({ ...run, lastFailure: { message: messageOf(step.reason) } }, false, [{ type: 'close-window' }]);
  const isLeaving = step.kind === 'redirect';
  const effects: EngineEffect<Request>[] = [
    { type: 'report-metric', outcome: 'ok' },
    { type: 'go', step },
  ];
  if (!isLeaving) effects.unshift({ type: 'close-window' });
  return { state: { at: 'done', run: run.run, depositId: run.intent.depositId, step }, effects };
}

function messageOf(reason: Extract<NextStep, { kind: 'failure' }>['reason']): string {
  return reason === 'data-null' ? DATA_NULL_MESSAGE : `Unusable response: ${reason}`;
}

function fail<Request>(
  run: Run<Request>,
  failure: CallFailure,
  keepsId: boolean,
  before: readonly EngineEffect<Request>[] = [],
): Transition<Request> {
  return {
    state: { at: 'failed', run: run.run, depositId: run.intent.depositId, failure, keepsId },
    effects: [
      { type: 'close-window' },
      ...before,
      { type: 'handle-error', failure },
      { type: 'report-metric', outcome: 'fail' },
    ],
  };
}

/**
 * Ends a run whose call was refused. After a temporary refusal a delayed copy of the call may still succeed.
 * That copy must not become a second payment, so the deposit is cancelled.
 * A shared key is only looked up and never cancelled, because another tab may own its deposit.
 */
function refuse<Request>(run: Run<Request>, failure: CallFailure): Transition<Request> {
  const { depositId, paymentMethod } = run.intent;
  if (run.isSharedKey && !isPermanentRefusal(failure)) {
    return check({ ...run, lastFailure: failure }, 0, [{ type: 'close-window' }]);
  }
  return fail(
    run,
    failure,
    false,
    isPermanentRefusal(failure) ? [] : [{ type: 'clear-former', depositId, paymentMethod }],
  );
}

function createFailed<Request>(run: Run<Request>, failure: CallFailure): Transition<Request> {
  const meaning = meaningOfFailure(failure);
  if (meaning === 'captcha' && !run.hasRerunCaptcha) {
    const { state, effects } = runCaptcha({ ...run, hasRerunCaptcha: true });
    return { state, effects: [{ type: 'close-window' }, ...effects] };
  }
  // The repeat could not be sent, which says nothing about the first call. Its deposit exists.
  if (meaning === 'unsent' && run.hasReplayed) return check(run, CHECK_INTERVAL_MS, [{ type: 'close-window' }]);
  if (meaning === 'unsent') return fail(run, failure, !run.hasRerunCaptcha);
  if (meaning === 'unknown') return check({ ...run, lastFailure: lostResponse }, 0, [{ type: 'close-window' }]);
  return refuse(run, failure);
}

function check<Request>(
  run: Run<Request>,
  afterMs: number,
  before: readonly EngineEffect<Request>[] = [],
): Transition<Request> {
  const { depositId, paymentMethod } = run.intent;
  return {
    state: { ...run, at: 'checking' },
    effects: [...before, { type: 'ask-status', run: run.run, depositId, paymentMethod, afterMs }],
  };
}

/**
 * A single answer "not known" proves nothing, because the create call may still arrive. A void key makes the server
 * refuse that call whenever it arrives.
 */
function voidKey<Request>(
  run: Run<Request>,
  ifUnknown: boolean,
  before: readonly EngineEffect<Request>[] = [],
): Transition<Request> {
  const { depositId, paymentMethod } = run.intent;
  return {
    state: { ...run, at: 'checking' },
    effects: [...before, { type: 'void-key', run: run.run, depositId, paymentMethod, ifUnknown }],
  };
}

/**
 * Handles the server's answer about a deposit whose create call got no certain response.
 * Known and waiting: the engine repeats the create call once with the same key. The server returns the stored response.
 * Not known: the engine voids the key. Only then the user sees that nothing was sent and may send again with another key.
 */
function settleCheck<Request>(
  run: Extract<EngineState<Request>, { at: 'checking' }>,
  event: Result<Request>,
): Transition<Request> {
  if (event.type === 'status-failed') return check(run, CHECK_INTERVAL_MS);
  if (event.type === 'status-absent') return voidKey(run, true);
  if (event.type === 'key-voided') return fail(run, run.lastFailure, false);
  if (event.type !== 'status-found') return stay<Request>(run);
  const { transaction } = event;
  const status = statusOfCode(transaction.status);
  const isSettled = status === 'processed' || status === 'mistaked';
  if (transaction.isOutcomeUnknown === true && !isSettled) return check(run, CHECK_INTERVAL_MS);
  if (status === 'waiting' && !run.hasReplayed) return create({ ...run, hasReplayed: true });
  return complete(run, run.intent.depositId, status);
}

function showFormer<Request>(run: Run<Request>, { depositId, status }: Transaction): Transition<Request> {
  const { state, effects } = complete(run, depositId, statusOfCode(status));
  return { state, effects: [{ type: 'close-window' }, ...effects] };
}

function complete<Request>(run: Run<Request>, depositId: string, status: TransactionStatus): Transition<Request> {
  const step: CompleteStep = { kind: 'complete', depositId, status };
  return {
    state: { at: 'done', run: run.run, depositId: run.intent.depositId, step },
    effects: [
      { type: 'report-metric', outcome: status === 'mistaked' ? 'fail' : 'ok' },
      { type: 'go', step },
    ],
  };
}

function cancel<Request>(state: EngineState<Request>): Transition<Request> {
  if (!isBusy(state)) return stay(state);
  const { run, intent } = state;
  const effects: EngineEffect<Request>[] = [{ type: 'abort', run }, { type: 'close-window' }];
  // Once the call may have left, only the server can cancel. It then refuses a create call that arrives later (DEP-11).
  if (hasCallLeft(state)) {
    effects.push({ type: 'clear-former', depositId: intent.depositId, paymentMethod: intent.paymentMethod });
  }
  return { state: { at: 'cancelled', run: run + 1, depositId: intent.depositId }, effects };
}

function hasCallLeft<Request>(state: Extract<EngineState<Request>, Run<Request>>): boolean {
  return state.at === 'creating' || state.at === 'checking' || state.hasRerunCaptcha;
}

function close<Request>(state: EngineState<Request>): Transition<Request> {
  if (!isBusy(state) || state.isSessionClosed) return stay(state);
  return {
    state: { ...state, isSessionClosed: true },
    // The page may be gone before the response arrives, and then an empty payment window would stay open for ever.
    effects: [{ type: 'close-window' }, { type: 'notify-session-closed', paymentMethod: state.intent.paymentMethod }],
  };
}
