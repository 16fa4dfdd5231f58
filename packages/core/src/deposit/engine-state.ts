/** What the creation of a deposit consists of: its states, what can happen, and what is to be done. */
import type { CaptchaResult, FormField, Transaction } from '@opencashier/contract/api';
import type { TransactionStatus } from '../transaction/status.ts';
import type { CallFailure } from './create-failure.ts';
import type { NextStep } from './next-step.ts';

/**
 * One intent to deposit. `depositId` is the idempotency key (DEP-16): it stays the same over captcha, network retries and
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
export interface Run<Request> {
  readonly run: number;
  readonly intent: DepositIntent<Request>;
  readonly captcha: CaptchaResult | undefined;
  readonly hasRerunCaptcha: boolean;
  readonly hasReplayed: boolean;
  readonly isSessionClosed: boolean;
  /** The key is not the proposed one: another tab, or this one before a reload, may have made a deposit by it. */
  readonly isSharedKey: boolean;
  /** What is said once it is certain that nothing comes of this run. */
  readonly doubt: CallFailure;
}

/** Where the creation of a deposit stands. One union, no flags beside it. */
export type EngineState<Request> =
  | { readonly at: 'idle'; readonly run: number }
  /** `claiming`: another tab may be creating the same intent, and its key would be this one's too. */
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
  /** `keepsId`: nothing was sent under the key yet, so that the same intent may be sent under it. */
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
  /** `depositId`: the key of this intent, the proposed one or that of another tab (DEP-16). */
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
  /** The server refuses every create under the key from now on. */
  | { readonly type: 'key-voided'; readonly run: number }
  /** A deposit of an earlier press that was refused has come alive all the same: this press sends nothing. */
  | { readonly type: 'former-found'; readonly run: number; readonly transaction: Transaction }
  /** The user gives up, or leaves the screen of a flow that cancels on leaving (DEP-11). */
  | { readonly type: 'cancel' }
  /** The widget is being closed (HOST-4, DEP-9). A creation that is under way goes on. */
  | { readonly type: 'close' }
  | { readonly type: 'reset' };

/** What the driver has to do, in order. The driver decides nothing. */
export type EngineEffect<Request> =
  | { readonly type: 'show-errors' }
  /** Stores the key, unless the same intent has one already. `depositId` is what is proposed. */
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
   * Makes the server refuse every create under the key, and answers by an event of the run. `ifUnknown`: a deposit that is there
   * stays as it is; else it is cancelled.
   */
  | {
      readonly type: 'void-key';
      readonly run: number;
      readonly depositId: string;
      readonly paymentMethod: string;
      readonly ifUnknown: boolean;
    }
  /** Cancels what a call that was refused or given up may still make. The next create waits until this is done. */
  | { readonly type: 'clear-former'; readonly depositId: string; readonly paymentMethod: string }
  /** Aborts whatever call or captcha is pending for this run. */
  | { readonly type: 'abort'; readonly run: number }
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
