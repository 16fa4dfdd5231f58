import type { FormField, Transaction } from '@opencashier/contract/api';
import { statusOfCode, type TransactionStatus } from '../transaction/status.ts';
import { type CallFailure, isLastingRefusal, meaningOfFailure } from './create-failure.ts';
import type { CompleteStep, EngineEffect, EngineEvent, EngineState, Run, Transition } from './engine-state.ts';
import { DATA_NULL_MESSAGE, type NextStep } from './next-step.ts';

/** While the outcome is unknown the status is asked for again after this long. */
export const CHECK_INTERVAL_MS = 5000;

/** The state of an engine that has not started. */
export function initialEngineState<Request>(): EngineState<Request> {
  return { at: 'idle', run: 0 };
}

/** Nothing was sent, or nothing of it can arrive any more. */
const lostAnswer: CallFailure = { code: 'socket.networkError' };

const busyStates: ReadonlySet<string> = new Set(['claiming', 'preparing', 'captcha', 'creating', 'checking']);

/** True while a creation is under way: the submit button is busy, and a second click does nothing (DEP-16). */
export function isBusy<Request>(state: EngineState<Request>): state is Extract<EngineState<Request>, Run<Request>> {
  return busyStates.has(state.at);
}

/** The deposit that may be paid by now, and what can be said of it; undefined where nothing has left or nothing can come of it. */
export function knownDeposit(
  state: EngineState<unknown>,
): { readonly depositId: string; readonly status: TransactionStatus } | undefined {
  switch (state.at) {
    case 'checking':
      return { depositId: state.intent.depositId, status: 'waiting' };
    case 'creating':
      // Nobody will be there to hear the answer.
      return state.isSessionClosed ? { depositId: state.intent.depositId, status: 'waiting' } : undefined;
    case 'done':
      // What was found may be the deposit of an earlier press.
      return state.step.kind === 'complete' ? state.step : { depositId: state.depositId, status: 'waiting' };
    default:
      return undefined;
  }
}

/**
 * The key for the next submit (DEP-16): the one in use while the same intent is being completed or repeated, else a new one.
 * After a changed amount, method, wallet or bonus a failed intent is not the same any more: `isSameIntent` says so.
 */
export function depositIdForSubmit(state: EngineState<unknown>, isSameIntent: boolean, makeId: () => string): string {
  const keeps = state.at === 'needs-fields' || (state.at === 'failed' && state.keepsId);
  return keeps && isSameIntent ? state.depositId : makeId();
}

/**
 * The creation of a deposit (DEP-1): validate, prepare if needed, captcha if needed, create. Pure: the same state and event
 * always give the same answer, and every effect is data. An event that does not belong to the state changes nothing.
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
    doubt: lostAnswer,
  };
  const effects: EngineEffect<Request>[] = [];
  // A browser lets a window open only within the click itself, so before anything that takes time. A captcha is in front
  // of the person now, and its last click opens the window instead: one that lay over it would only be in the way.
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
  // The deposit exists and cannot be shown: it is cancelled before another one may be made.
  if (step.kind === 'failure')
    return voidKey({ ...run, doubt: { message: messageOf(step.reason) } }, false, [{ type: 'close-window' }]);
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
 * A call that was refused for now may have a copy on its way that is taken later: that one must not become a second payment. Under
 * a shared key a deposit may already stand in another tab: it is looked for, never cancelled.
 */
function refuse<Request>(run: Run<Request>, failure: CallFailure): Transition<Request> {
  const { depositId, paymentMethod } = run.intent;
  if (run.isSharedKey && !isLastingRefusal(failure)) {
    return check({ ...run, doubt: failure }, 0, [{ type: 'close-window' }]);
  }
  return fail(
    run,
    failure,
    false,
    isLastingRefusal(failure) ? [] : [{ type: 'clear-former', depositId, paymentMethod }],
  );
}

function createFailed<Request>(run: Run<Request>, failure: CallFailure): Transition<Request> {
  const meaning = meaningOfFailure(failure);
  if (meaning === 'captcha' && !run.hasRerunCaptcha) {
    const { state, effects } = runCaptcha({ ...run, hasRerunCaptcha: true });
    return { state, effects: [{ type: 'close-window' }, ...effects] };
  }
  // A repeat that could not leave says nothing of the call before it, by which the deposit exists.
  if (meaning === 'unsent' && run.hasReplayed) return check(run, CHECK_INTERVAL_MS, [{ type: 'close-window' }]);
  if (meaning === 'unsent') return fail(run, failure, !run.hasRerunCaptcha);
  if (meaning === 'unknown') return check({ ...run, doubt: lostAnswer }, 0, [{ type: 'close-window' }]);
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

/** One answer "not known" is no proof: the create may still be on its way. A void key refuses it whenever it comes. */
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
 * What the server says about a deposit whose create call had no certain answer. Known and waiting: the create call is
 * repeated once under the same key, which answers what was stored. Not known: its key is voided, and only then the person hears
 * that nothing was sent and may send it again, under another key.
 */
function settleCheck<Request>(
  run: Extract<EngineState<Request>, { at: 'checking' }>,
  event: Result<Request>,
): Transition<Request> {
  if (event.type === 'status-failed') return check(run, CHECK_INTERVAL_MS);
  if (event.type === 'status-absent') return voidKey(run, true);
  if (event.type === 'key-voided') return fail(run, run.doubt, false);
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
  // Once the call may have left, only the server can cancel; a create that comes later is refused by it (DEP-11).
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
    // The page may be gone before the answer comes, and an empty window would stay for ever.
    effects: [{ type: 'close-window' }, { type: 'notify-session-closed', paymentMethod: state.intent.paymentMethod }],
  };
}
