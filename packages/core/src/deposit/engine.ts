import type { CaptchaResult, FormField, Transaction } from '@opencashier/contract/api';
import { statusOfCode, type TransactionStatus } from '../transaction/status.ts';
import { type CallFailure, meaningOfFailure } from './create-failure.ts';
import { DATA_NULL_MESSAGE, type NextStep } from './next-step.ts';

/**
 * One wish to deposit. `depositId` is the idempotency key (DEP-16): it stays the same over captcha, network retries and
 * extra fields. `Request` is the create call's body without the key and without the captcha's result.
 */
export interface DepositIntent<Request> {
  readonly depositId: string;
  readonly request: Request;
  readonly paymentMethod: string;
  readonly needsPreparation: boolean;
  readonly needsCaptcha: boolean;
  /** Whether a payment window is opened before the call (DEP-2, see `payment-window`). */
  readonly opensWindow: boolean;
}

/** Carried through one run of the engine. */
interface Run<Request> {
  readonly run: number;
  readonly intent: DepositIntent<Request>;
  readonly captcha: CaptchaResult | undefined;
  readonly hasRerunCaptcha: boolean;
  readonly hasReplayed: boolean;
  readonly isSessionClosed: boolean;
}

/** Where the creation of a deposit stands. One union, no flags beside it. */
export type EngineState<Request> =
  | { readonly at: 'idle'; readonly run: number }
  /** `claiming`: another tab may be creating the same wish, and its key would be this one's too. */
  | ({ readonly at: 'claiming' | 'preparing' | 'captcha' | 'creating' } & Run<Request>)
  /** The outcome is not known: it is being checked, and the user must not pay again. */
  | ({ readonly at: 'checking' } & Run<Request>)
  /** The method wants more from the user. The next submit keeps `depositId`. */
  | {
      readonly at: 'needs-fields';
      readonly run: number;
      readonly depositId: string;
      readonly fields: readonly FormField[];
    }
  | { readonly at: 'done'; readonly run: number; readonly depositId: string; readonly step: NextStep | CompleteStep }
  /** `keepsId`: the server knows nothing of the deposit, so that the same wish may be sent again under the same key. */
  | {
      readonly at: 'failed';
      readonly run: number;
      readonly depositId: string;
      readonly failure: CallFailure;
      readonly keepsId: boolean;
    }
  | { readonly at: 'cancelled'; readonly run: number; readonly depositId: string };

/** The deposit was found to exist already, with nothing left to do for the user: show its status. */
export interface CompleteStep {
  readonly kind: 'complete';
  readonly depositId: string;
  readonly status: TransactionStatus;
}

/** What happened. Results carry the `run` of the effect that they answer; those of an earlier run are ignored. */
export type EngineEvent<Request> =
  | { readonly type: 'submit'; readonly intent: DepositIntent<Request>; readonly isValid: boolean }
  /** `depositId`: the key of this wish, the proposed one or that of another tab (DEP-16). */
  | { readonly type: 'claimed'; readonly run: number; readonly depositId: string }
  | { readonly type: 'prepared'; readonly run: number; readonly fields?: readonly FormField[] | undefined }
  | { readonly type: 'prepare-failed'; readonly run: number; readonly failure: CallFailure }
  | { readonly type: 'captcha-done'; readonly run: number; readonly result: CaptchaResult }
  | { readonly type: 'captcha-failed'; readonly run: number; readonly failure: CallFailure }
  | { readonly type: 'created'; readonly run: number; readonly step: NextStep }
  | { readonly type: 'create-failed'; readonly run: number; readonly failure: CallFailure }
  | { readonly type: 'status-found'; readonly run: number; readonly transaction: Transaction }
  | { readonly type: 'status-absent'; readonly run: number }
  | { readonly type: 'status-failed'; readonly run: number }
  /** The user gives up, or leaves the screen of a flow that cancels on leaving (DEP-11). */
  | { readonly type: 'cancel' }
  /** The widget is being closed (HOST-4, DEP-9). A creation that is under way goes on. */
  | { readonly type: 'close' }
  | { readonly type: 'reset' };

/** What the driver has to do, in order. The driver decides nothing. */
export type EngineEffect<Request> =
  | { readonly type: 'show-errors' }
  /** Stores the key, unless the same wish has one already. `depositId` is what is proposed. */
  | { readonly type: 'claim-deposit-id'; readonly run: number; readonly depositId: string }
  | { readonly type: 'open-window' }
  | { readonly type: 'close-window' }
  | { readonly type: 'prepare'; readonly run: number; readonly paymentMethod: string }
  | { readonly type: 'run-captcha'; readonly run: number }
  | {
      readonly type: 'create';
      readonly run: number;
      readonly depositId: string;
      readonly request: Request;
      readonly captcha: CaptchaResult | undefined;
    }
  | {
      readonly type: 'ask-status';
      readonly run: number;
      readonly depositId: string;
      readonly paymentMethod: string;
      readonly afterMs: number;
    }
  /** Aborts whatever call or captcha is pending for this run. */
  | { readonly type: 'abort'; readonly run: number }
  | { readonly type: 'cancel-deposit'; readonly depositId: string; readonly paymentMethod: string }
  | { readonly type: 'notify-session-closed'; readonly paymentMethod: string }
  | { readonly type: 'show-fields'; readonly fields: readonly FormField[] }
  | { readonly type: 'handle-error'; readonly failure: CallFailure }
  | { readonly type: 'report-metric'; readonly outcome: 'ok' | 'fail' }
  | { readonly type: 'go'; readonly step: NextStep | CompleteStep };

/** The state after an event, and what to do. */
export interface Transition<Request> {
  readonly state: EngineState<Request>;
  readonly effects: readonly EngineEffect<Request>[];
}

/** While the outcome is unknown the status is asked for again after this long. */
export const CHECK_INTERVAL_MS = 5000;

/** The state of an engine that has not started. */
export function initialEngineState<Request>(): EngineState<Request> {
  return { at: 'idle', run: 0 };
}

const busyStates: ReadonlySet<string> = new Set(['claiming', 'preparing', 'captcha', 'creating', 'checking']);

/** True while a creation is under way: the submit button is busy, and a second click does nothing (DEP-16). */
export function isBusy<Request>(state: EngineState<Request>): state is Extract<EngineState<Request>, Run<Request>> {
  return busyStates.has(state.at);
}

/**
 * The key for the next submit (DEP-16): the one in use while the same wish is being completed or repeated, else a new one.
 * After a changed amount, method, wallet or bonus a failed wish is not the same any more: `isSameWish` says so.
 */
export function depositIdForSubmit(state: EngineState<unknown>, isSameWish: boolean, makeId: () => string): string {
  const keeps = state.at === 'needs-fields' || (state.at === 'failed' && state.keepsId);
  return keeps && isSameWish ? state.depositId : makeId();
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
  };
  const effects: EngineEffect<Request>[] = [];
  // A browser lets a window open only within the click itself, so before anything that takes time. A captcha is in front
  // of the person now, and its last click opens the window instead: one that lay over it would only be in the way.
  if (intent.opensWindow && !intent.needsCaptcha) effects.push({ type: 'open-window' });
  effects.push({ type: 'claim-deposit-id', run: run.run, depositId: intent.depositId });
  return { state: { ...run, at: 'claiming' }, effects };
}

function claimed<Request>(run: Run<Request>, depositId: string): Transition<Request> {
  const owned = { ...run, intent: { ...run.intent, depositId } };
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
  if (step.kind === 'failure') return fail(run, { message: messageOf(step.reason) }, false);
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

function fail<Request>(run: Run<Request>, failure: CallFailure, keepsId: boolean): Transition<Request> {
  return {
    state: { at: 'failed', run: run.run, depositId: run.intent.depositId, failure, keepsId },
    effects: [{ type: 'close-window' }, { type: 'handle-error', failure }, { type: 'report-metric', outcome: 'fail' }],
  };
}

function createFailed<Request>(run: Run<Request>, failure: CallFailure): Transition<Request> {
  const meaning = meaningOfFailure(failure);
  if (meaning === 'captcha' && !run.hasRerunCaptcha) {
    const { state, effects } = runCaptcha({ ...run, hasRerunCaptcha: true });
    return { state, effects: [{ type: 'close-window' }, ...effects] };
  }
  if (meaning === 'unknown') return check(run, 0, [{ type: 'close-window' }]);
  return fail(run, failure, false);
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
 * What the server says about a deposit whose create call had no certain answer. Known and waiting: the create call is
 * repeated once under the same key, which answers what was stored. Not known at all: the user may send it again.
 */
function settleCheck<Request>(
  run: Extract<EngineState<Request>, { at: 'checking' }>,
  event: Result<Request>,
): Transition<Request> {
  if (event.type === 'status-failed') return check(run, CHECK_INTERVAL_MS);
  if (event.type === 'status-absent') return fail(run, { code: 'socket.networkError' }, true);
  if (event.type !== 'status-found') return stay<Request>(run);
  const { transaction } = event;
  const status = statusOfCode(transaction.status);
  const isSettled = status === 'processed' || status === 'mistaked';
  if (transaction.isOutcomeUnknown === true && !isSettled) return check(run, CHECK_INTERVAL_MS);
  if (status === 'waiting' && !run.hasReplayed) return create({ ...run, hasReplayed: true });
  const { depositId } = run.intent;
  const step: CompleteStep = { kind: 'complete', depositId, status };
  return {
    state: { at: 'done', run: run.run, depositId, step },
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
    effects.push({ type: 'cancel-deposit', depositId: intent.depositId, paymentMethod: intent.paymentMethod });
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
    effects: [{ type: 'notify-session-closed', paymentMethod: state.intent.paymentMethod }],
  };
}
