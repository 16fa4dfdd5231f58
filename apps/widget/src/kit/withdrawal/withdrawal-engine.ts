/**
 * One withdrawal from the press of the button to its submission (WD-2). Create puts the amount on hold, confirm submits it,
 * cancel gives it back. Pure: the same state and event always give the same answer, and every effect is data.
 */
import type { RequestOf, WithdrawalTransaction, withdrawalCreate } from '@opencashier/contract/api';
import { type CallFailure, isPermanentRefusal, meaningOfFailure } from '@opencashier/core/deposit/create-failure';
import { statusOfCode } from '@opencashier/core/transaction/status';

export type WithdrawalRequest = Omit<RequestOf<typeof withdrawalCreate>, 'withdrawalId'>;

/** One intent to withdraw. The key is stored before the first send and stays the same over every repeat of the intent. */
export interface WithdrawalIntent {
  readonly withdrawalId: string;
  readonly request: WithdrawalRequest;
  /** The key is from before a reload, or from another tab. The withdrawal under it may have ended, or belong to another intent. */
  readonly isRemembered: boolean;
}

/** A call in progress. */
type Step =
  /** `isRepeat`: sent again, to learn whether the withdrawal under a remembered key is this one. */
  | { readonly kind: 'create'; readonly intent: WithdrawalIntent; readonly isRepeat?: true }
  | { readonly kind: 'confirm'; readonly code: string | undefined }
  | { readonly kind: 'cancel' };

interface Run {
  readonly run: number;
  readonly withdrawalId: string;
}

/** The state of a withdrawal. It is one union, without flags beside it. */
export type EngineState =
  | { readonly at: 'idle'; readonly run: number }
  | ({ readonly at: 'calling'; readonly step: Step } & Run)
  /** The outcome of the call is not known and is being checked. The user must not withdraw again. */
  | ({ readonly at: 'checking'; readonly step: Step; readonly failure: CallFailure } & Run)
  /** The amount is on hold. The user may confirm it or give it back. */
  | ({ readonly at: 'held' } & Run)
  /** `keepsId`: nothing was sent under the key yet, so the same intent may use it. */
  | ({ readonly at: 'failed'; readonly failure: CallFailure; readonly keepsId: boolean } & Run)
  /** Submitted, or ended; its status says which. */
  | ({ readonly at: 'over' } & Run)
  /** The held amount is on its way back to the balance. */
  | ({ readonly at: 'released' } & Run);

/** What happened. A result has the `run` of the call that it answers; results of an earlier run are ignored. */
export type EngineEvent =
  /** `isClaimed`: the key already belongs to this intent. Otherwise other tabs are asked first for their key. */
  | {
      readonly type: 'submit';
      readonly intent: WithdrawalIntent;
      readonly isValid: boolean;
      readonly isClaimed: boolean;
    }
  | { readonly type: 'claimed'; readonly run: number; readonly withdrawalId: string }
  | { readonly type: 'confirm'; readonly code?: string | undefined }
  | { readonly type: 'cancel' }
  | { readonly type: 'answered'; readonly run: number; readonly status: number }
  | { readonly type: 'call-failed'; readonly run: number; readonly failure: CallFailure }
  | { readonly type: 'status-found'; readonly run: number; readonly transaction: WithdrawalTransaction }
  | { readonly type: 'status-absent'; readonly run: number }
  | { readonly type: 'status-failed'; readonly run: number }
  /** An earlier withdrawal of this tab was confirmed meanwhile. It is shown, and nothing more is sent. */
  | { readonly type: 'former-found'; readonly run: number; readonly withdrawalId: string }
  /** The server refuses every create under the key from now on. */
  | { readonly type: 'key-voided'; readonly run: number };

/** What the driver must do, in order. The driver decides nothing. */
export type EngineEffect =
  | { readonly type: 'show-errors' }
  | {
      readonly type: 'claim-id';
      readonly run: number;
      readonly withdrawalId: string;
      readonly request: WithdrawalRequest;
    }
  | { readonly type: 'store-id'; readonly withdrawalId: string; readonly request: WithdrawalRequest }
  | { readonly type: 'forget-id'; readonly withdrawalId: string }
  | { readonly type: 'call'; readonly run: number; readonly withdrawalId: string; readonly step: Step }
  | { readonly type: 'ask-status'; readonly run: number; readonly withdrawalId: string; readonly afterMs: number }
  /** Makes the server refuse every create under the key, unless it knows the withdrawal. An event of the run brings the answer. */
  | { readonly type: 'void-key'; readonly run: number; readonly withdrawalId: string }
  /** Gives back an amount that a refused call may still put on hold. The next create waits until this is done. */
  | { readonly type: 'clear-former'; readonly withdrawalId: string; readonly paymentMethod: string }
  /** The withdrawal under the remembered key has ended, or belongs to another intent. This intent is sent under a new key. */
  | { readonly type: 'send-under-new-key'; readonly request: WithdrawalRequest }
  | { readonly type: 'handle-error'; readonly failure: CallFailure; readonly step: Step['kind'] }
  | { readonly type: 'report-metric'; readonly step: Step['kind']; readonly outcome: 'ok' | 'fail' }
  /** `confirm`: the amount is on hold. `complete`: submitted or ended. `form`: given back. */
  | { readonly type: 'go'; readonly to: 'confirm' | 'complete' | 'form'; readonly withdrawalId: string };

export interface Transition {
  readonly state: EngineState;
  readonly effects: readonly EngineEffect[];
}

/** While the outcome is unknown, the status is asked for again after this time. */
export const CHECK_INTERVAL_MS = 5000;

export const initialState: EngineState = { at: 'idle', run: 0 };

/** The state of an engine that starts with a held amount. */
export function heldState(withdrawalId: string): EngineState {
  return { at: 'held', run: 0, withdrawalId };
}

/** True while a call is in progress. Buttons are busy, and a second press does nothing. */
export function isBusy({ at }: EngineState): boolean {
  return at === 'calling' || at === 'checking';
}

/** An event that does not belong to the state changes nothing. */
export function transition(state: EngineState, event: EngineEvent): Transition {
  switch (event.type) {
    case 'submit':
      return submit(state, event);
    case 'confirm':
      return state.at === 'held' ? call(state, { kind: 'confirm', code: event.code }) : stay(state);
    case 'cancel':
      return state.at === 'held' ? call(state, { kind: 'cancel' }) : stay(state);
    default:
      if (event.run !== state.run) return stay(state);
      if (state.at === 'calling') return settleCall(state, event);
      return state.at === 'checking' ? settleCheck(state, event) : stay(state);
  }
}

type Result = Extract<EngineEvent, { run: number }>;
type Calling = Extract<EngineState, { at: 'calling' }>;
type Checking = Extract<EngineState, { at: 'checking' }>;

function stay(state: EngineState): Transition {
  return { state, effects: [] };
}

function submit(
  state: EngineState,
  { intent, isValid, isClaimed }: Extract<EngineEvent, { type: 'submit' }>,
): Transition {
  // A held or ended withdrawal has its own screen. A second press before that screen is drawn is no second intent.
  if (state.at !== 'idle' && state.at !== 'failed') return stay(state);
  if (!isValid) return { state, effects: [{ type: 'show-errors' }] };
  const { withdrawalId, request } = intent;
  const { state: next, effects } = call({ run: state.run, withdrawalId }, { kind: 'create', intent });
  if (!isClaimed) return { state: next, effects: [{ type: 'claim-id', run: next.run, withdrawalId, request }] };
  return { state: next, effects: [{ type: 'store-id', withdrawalId, request }, ...effects] };
}

function call({ run, withdrawalId }: Run, step: Step): Transition {
  const next = { run: run + 1, withdrawalId };
  return { state: { at: 'calling', step, ...next }, effects: [{ type: 'call', step, ...next }] };
}

function settleCall(state: Calling, event: Result): Transition {
  if (event.type === 'claimed') return sendClaimed(state, event.withdrawalId);
  if (event.type === 'former-found') return showFormer(state, event.withdrawalId);
  if (event.type === 'answered') return settled(state, statusOfCode(event.status));
  if (event.type !== 'call-failed') return stay(state);
  const { failure } = event;
  const { step } = state;
  const isUnsent = meaningOfFailure(failure) === 'unsent';
  if (step.kind === 'create') {
    if (isOfAnother(failure) && step.intent.isRemembered) return sendUnderNewKey(state, step.intent);
    // A repeat that never left, or that was refused only for now, says nothing about the amount on hold.
    if (step.isRepeat && !isPermanentRefusal(failure)) return check(state, failure, CHECK_INTERVAL_MS);
    if (meaningOfFailure(failure) !== 'unknown') return fail(state, step, failure, isUnsent);
    return check(state, failure, 0);
  }
  if (isUnsent || (step.kind === 'confirm' && isRepeatable(failure))) {
    const { run, withdrawalId } = state;
    return {
      state: { at: 'held', run, withdrawalId },
      effects: [errorOf(step, failure), metric(step, 'fail')],
    };
  }
  // Only the status says what a refusal means for the money. The user is told after that, once.
  return check(state, failure, 0);
}

/** A key other than the proposed one is from before a reload, or from another tab. */
function sendClaimed({ run, step, ...before }: Calling, withdrawalId: string): Transition {
  if (step.kind !== 'create') return stay({ run, step, ...before });
  const isRemembered = withdrawalId !== before.withdrawalId;
  const intent: WithdrawalIntent = { ...step.intent, withdrawalId, isRemembered };
  const sent = { run, withdrawalId, step: { ...step, intent } };
  return { state: { at: 'calling', ...sent }, effects: [{ type: 'call', ...sent }] };
}

function showFormer({ run, withdrawalId: unsent }: Calling, withdrawalId: string): Transition {
  return {
    state: { at: 'over', run, withdrawalId },
    effects: [
      { type: 'forget-id', withdrawalId: unsent },
      { type: 'go', to: 'complete', withdrawalId },
    ],
  };
}

/** The key was used with another request, or was cancelled. */
const isOfAnother = ({ code }: CallFailure): boolean => code === 'idempotency-conflict' || code === 'state-conflict';

/** Refusals of a confirm after which the amount stays on hold and the user may try again. */
const repeatable: ReadonlySet<string> = new Set([
  'code-wrong',
  'code-expired',
  'invalid-request',
  'rate-limited',
  'temporarily-unavailable',
]);

function isRepeatable({ code, status }: CallFailure): boolean {
  if (status === undefined || code === undefined) return false;
  return repeatable.has(code);
}

/** The server has reported the status of the withdrawal. */
function settled(state: Calling | Checking, status: ReturnType<typeof statusOfCode>): Transition {
  const { run, withdrawalId, step } = state;
  if (status === 'waiting') {
    if (step.kind === 'create') {
      return {
        state: { at: 'held', run, withdrawalId },
        effects: [metric(step, 'ok'), { type: 'go', to: 'confirm', withdrawalId }],
      };
    }
    // Neither submitted nor given back. So the call did not arrive, and may be sent again.
    return {
      state: { at: 'held', run, withdrawalId },
      effects: [errorOf(step, state.at === 'checking' ? state.failure : {}), metric(step, 'fail')],
    };
  }
  if (status === 'mistaked' && step.kind === 'create' && step.intent.isRemembered)
    return sendUnderNewKey(state, step.intent);
  const forget: EngineEffect = { type: 'forget-id', withdrawalId };
  if (status === 'mistaked' && step.kind === 'cancel') {
    return {
      state: { at: 'released', run, withdrawalId },
      effects: [forget, metric(step, 'ok'), { type: 'go', to: 'form', withdrawalId }],
    };
  }
  return {
    state: { at: 'over', run, withdrawalId },
    effects: [
      forget,
      metric(step, status === 'mistaked' ? 'fail' : 'ok'),
      { type: 'go', to: 'complete', withdrawalId },
    ],
  };
}

function sendUnderNewKey({ run, withdrawalId }: Run, { request }: WithdrawalIntent): Transition {
  return {
    state: { at: 'idle', run },
    effects: [
      { type: 'forget-id', withdrawalId },
      { type: 'send-under-new-key', request },
    ],
  };
}

function fail({ run, withdrawalId }: Run, step: Step, failure: CallFailure, keepsId: boolean): Transition {
  const forget: EngineEffect[] = keepsId ? [] : [{ type: 'forget-id', withdrawalId }];
  // The server may still accept a copy of a call that it refused for now. The copy must not put the amount on hold a second time.
  const clear: EngineEffect[] =
    step.kind === 'create' && isRefusedForNow(failure)
      ? [{ type: 'clear-former', withdrawalId, paymentMethod: step.intent.request.paymentMethod }]
      : [];
  return {
    state: { at: 'failed', run, withdrawalId, failure, keepsId },
    effects: [...forget, ...clear, errorOf(step, failure), metric(step, 'fail')],
  };
}

const isRefusedForNow = (failure: CallFailure): boolean =>
  meaningOfFailure(failure) === 'refused' && !isPermanentRefusal(failure);

function check({ run, withdrawalId, step }: Calling | Checking, failure: CallFailure, afterMs: number): Transition {
  return {
    state: { at: 'checking', run, withdrawalId, step, failure },
    effects: [{ type: 'ask-status', run, withdrawalId, afterMs }],
  };
}

function settleCheck(state: Checking, event: Result): Transition {
  const { step, failure, run, withdrawalId } = state;
  switch (event.type) {
    case 'status-failed':
      return check(state, failure, CHECK_INTERVAL_MS);
    case 'status-absent': {
      // This proves nothing, because the create may still arrive. After the key is void, the server refuses it.
      if (step.kind === 'create') return { state, effects: [{ type: 'void-key', run, withdrawalId }] };
      return { state: { at: 'over', run, withdrawalId }, effects: [{ type: 'go', to: 'complete', withdrawalId }] };
    }
    case 'key-voided':
      return fail(state, step, { code: 'socket.networkError' }, false);
    case 'answered':
      return found(state, statusOfCode(event.status));
    case 'status-found': {
      const { transaction } = event;
      const isOverdue = Date.parse(transaction.expires) <= Date.parse(transaction.serverTime);
      const status = statusOfCode(transaction.status);
      // The hold has expired, and the server is about to give the amount back.
      return found(state, status === 'waiting' && isOverdue ? 'mistaked' : status);
    }
    default:
      return stay(state);
  }
}

/**
 * The server knows a withdrawal under the key. Under a remembered key the amount may be on hold for the destination of an earlier
 * form. The server compares whole requests, so a repeat is answered only for the same destination. Otherwise a new key is used.
 */
function found(state: Checking, status: ReturnType<typeof statusOfCode>): Transition {
  const { step, run, withdrawalId } = state;
  const isUncertain = status === 'waiting' && step.kind === 'create' && step.intent.isRemembered;
  return isUncertain ? call({ run, withdrawalId }, { ...step, isRepeat: true }) : settled(state, status);
}

const errorOf = ({ kind }: Step, failure: CallFailure): EngineEffect => ({ type: 'handle-error', step: kind, failure });
const metric = ({ kind }: Step, outcome: 'ok' | 'fail'): EngineEffect => ({
  type: 'report-metric',
  step: kind,
  outcome,
});
