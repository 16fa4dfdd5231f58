/** The states, events and effects of the deposit engine, which creates a deposit. */
import type { CaptchaResult, FormField, Transaction } from '@opencashier/contract/api';
import type { TransactionStatus } from '../transaction/status.ts';
import type { CallFailure } from './create-failure.ts';
import type { NextStep } from './next-step.ts';

/**
 * A user's intent to deposit. `depositId` is the idempotency key (DEP-16).
 * The key stays the same over captcha, network retries and extra fields.
 * `Request` is the body of the create call without the key and without the captcha result.
 */
export interface DepositIntent<Request> {
  readonly depositId: string;
  readonly request: Request;
  readonly paymentMethod: string;
  readonly needsPreparation: boolean;
  readonly needsCaptcha: boolean;
  /** Whether a payment window opens before the call (DEP-2, see `payment-window`). */
  readonly opensWindow: boolean;
}

/** The data of one run of the engine. */
export interface Run<Request> {
  readonly run: number;
  readonly intent: DepositIntent<Request>;
  readonly captcha: CaptchaResult | undefined;
  readonly hasRerunCaptcha: boolean;
  readonly hasReplayed: boolean;
  readonly isSessionClosed: boolean;
  /**
   * The key is not the proposed key. Another tab, or this tab before a reload, may already have created a deposit with it.
   */
  readonly isSharedKey: boolean;
  /** The failure to show once it is certain that this run created no deposit. */
  readonly lastFailure: CallFailure;
}

/** The state of the deposit's creation. */
export type EngineState<Request> =
  | { readonly at: 'idle'; readonly run: number }
  /** `claiming`: the engine asks for the key, because another tab may be creating the same intent with the same key. */
  | ({ readonly at: 'claiming' | 'preparing' | 'captcha' | 'creating' } & Run<Request>)
  /** The outcome is unknown. The engine asks for the status, and the user must not pay again. */
  | ({ readonly at: 'checking' } & Run<Request>)
  /** The method needs more fields from the user. The next submit keeps `depositId`. */
  | {
      readonly at: 'needs-fields';
      readonly run: number;
      readonly depositId: string;
      readonly fields: readonly FormField[];
    }
  | { readonly at: 'done'; readonly run: number; readonly depositId: string; readonly step: NextStep | CompleteStep }
  /** `keepsId`: nothing was sent under the key yet, so the same intent may use the key again. */
  | {
      readonly at: 'failed';
      readonly run: number;
      readonly depositId: string;
      readonly failure: CallFailure;
      readonly keepsId: boolean;
    }
  | { readonly at: 'cancelled'; readonly run: number; readonly depositId: string };

const busyStates: ReadonlySet<string> = new Set(['claiming', 'preparing', 'captcha', 'creating', 'checking']);

/** True while a deposit is being created: the submit button is busy, and a second click does nothing (DEP-16). */
export function isBusy<Request>(state: EngineState<Request>): state is Extract<EngineState<Request>, Run<Request>> {
  return busyStates.has(state.at);
}

/** The deposit already exists, and the user has nothing left to do: show its status. */
export interface CompleteStep {
  readonly kind: 'complete';
  readonly depositId: string;
  readonly status: TransactionStatus;
}

/** An event of the engine. A result carries the `run` of its effect; the result of an earlier run is ignored. */
export type EngineEvent<Request> =
  | { readonly type: 'submit'; readonly intent: DepositIntent<Request>; readonly isValid: boolean }
  /** `depositId` is the key of this intent: the proposed key, or the key of another tab (DEP-16). */
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
  /** The server refuses every create call with this key from now on. */
  | { readonly type: 'key-voided'; readonly run: number }
  /** A refused deposit of an earlier press exists after all, so this press sends nothing. */
  | { readonly type: 'former-found'; readonly run: number; readonly transaction: Transaction }
  /** The user cancels, or leaves the screen of a flow that cancels on leaving (DEP-11). */
  | { readonly type: 'cancel' }
  /** The widget closes (HOST-4, DEP-9). A create call that was sent continues. */
  | { readonly type: 'close' }
  | { readonly type: 'reset' };

/** What the driver must do, in order. The driver makes no decisions. */
export type EngineEffect<Request> =
  | { readonly type: 'show-errors' }
  /** Stores the key, unless the same intent already has one. `depositId` is the proposed key. */
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
  /**
   * Makes the server refuse every create call with the key, and answers with an event of the run.
   * `ifUnknown`: an existing deposit stays as it is. Otherwise an existing deposit is cancelled.
   */
  | {
      readonly type: 'void-key';
      readonly run: number;
      readonly depositId: string;
      readonly paymentMethod: string;
      readonly ifUnknown: boolean;
    }
  /** Cancels a deposit that a refused or abandoned call may still create. The next create call waits for this effect. */
  | { readonly type: 'clear-former'; readonly depositId: string; readonly paymentMethod: string }
  /** Aborts the pending call or captcha of this run. */
  | { readonly type: 'abort'; readonly run: number }
  | { readonly type: 'notify-session-closed'; readonly paymentMethod: string }
  | { readonly type: 'show-fields'; readonly fields: readonly FormField[] }
  | { readonly type: 'handle-error'; readonly failure: CallFailure }
  | { readonly type: 'report-metric'; readonly outcome: 'ok' | 'fail' }
  | { readonly type: 'go'; readonly step: NextStep | CompleteStep };

/** The state after an event, and the effects. */
export interface Transition<Request> {
  readonly state: EngineState<Request>;
  readonly effects: readonly EngineEffect<Request>[];
}
