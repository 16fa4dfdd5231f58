/** What a form gives the deposit driver, and what the driver asks of the form. */
import type { CaptchaResult, PaymentMethod, Transaction } from '@opencashier/contract/api';
import type { CallFailure } from '@opencashier/core/deposit/create-failure';
import type { EngineEffect, EngineEvent, EngineState } from '@opencashier/core/deposit/engine-state';
import type { HasPage, NextStep, Redirect } from '@opencashier/core/deposit/next-step';
import type { LinkPolicy } from '@opencashier/core/links/safe-link';
import type { ApiClient, ClientError } from '../../api/client.ts';
import type { EngineRunner } from '../engine/engine-runner.ts';
import type { FormerKey } from '../idempotency/former-key.ts';
import type { PaymentWindow } from '../payment/payment-window.ts';
import type { Place } from '../session/product-context.tsx';
import type { ReadableStore, Services, Texts } from '../session/services.tsx';
import type { CreateBody } from './create-deposit.ts';
import type { Order } from './order.ts';

/** The create call without its key. After the press, the tabs agree on the key. */
export type CreateRequest = Omit<CreateBody, 'depositId' | 'captcha' | 'returnUrl'>;
export type DepositState = EngineState<CreateRequest>;
export type DepositEvent = EngineEvent<CreateRequest>;
export type DepositEffect = EngineEffect<CreateRequest>;
export type EffectOf<Type extends DepositEffect['type']> = Extract<DepositEffect, { type: Type }>;
export type FinishedStep = Extract<DepositState, { at: 'done' }>['step'];
/** A step that continues on a screen of the widget. */
export type PageStep = Exclude<FinishedStep, { kind: 'redirect' }>;
/** Makes the create call of a flow and reads its answer. */
export type CreateStep = (body: CreateBody, api: ApiClient, signal: AbortSignal) => Promise<NextStep>;

/** One press of the button. */
export interface DepositPress {
  readonly request: CreateRequest;
  readonly isValid: boolean;
  /** Tells two intents for the same money apart, such as by the network of a coin. */
  readonly mark?: string | undefined;
  readonly needsPreparation: boolean;
  readonly needsCaptcha: boolean;
  readonly opensWindow: boolean;
  /** Nobody can pay before the answer is shown, so an abandoned deposit needs no cancel. */
  readonly isPaidOnSight?: boolean;
}

/** Creates the deposits of one form. */
export interface DepositDriver extends ReadableStore<DepositState> {
  /** Must be called within the tap: browsers open the payment window only then. */
  submit(press: DepositPress): void;
  cancel(): void;
  close(): void;
  /** The screen has gone: nothing more is shown or opened. The server still carries out a create that was sent. */
  dispose(): void;
}

/** What the engine asks the screen to do. */
export interface DriverPorts {
  readonly services: Services;
  /** The create call of the flow; `deposit-create` when there is none. */
  readonly create?: CreateStep | undefined;
  /** Title of the method, for the notice of a closed session. */
  readonly methodText: string;
  readonly linkPolicy: LinkPolicy;
  readonly hasPage: HasPage;
  /** Opens the payment window, or answers the one that was opened within the tap. Undefined where the browser blocks it. */
  openWindow(): PaymentWindow | undefined;
  returnUrl(depositId: string): string;
  showErrors(): void;
  /** @param cause the error behind the failure, if there is one */
  handleError(failure: CallFailure, cause: unknown): void;
  go(step: FinishedStep, paymentWindow: PaymentWindow | undefined): void;
  /** Runs the captcha of the method; rejects when the captcha cannot be loaded or solved. */
  runCaptcha(signal: AbortSignal): Promise<CaptchaResult>;
  makeId(): string;
}

/** How a flow differs from the usual create call and the screens after it. */
export interface DepositVariant {
  /** The flow's own create call; `deposit-create` when absent. */
  readonly create?: CreateStep;
  /** The flow's own screen for a step, or undefined for the usual one. */
  pathOf?(step: PageStep): string | undefined;
  /** The user pays on a screen of the widget, so no payment window is opened ahead of the call. */
  readonly staysHere?: true;
  /** Leaving the form while the deposit is being created cancels it (DEP-11). */
  readonly cancelsOnLeave?: true;
  /** The next screen takes the form's place in the history, because going back to it would create another deposit. */
  readonly replacesForm?: true;
  /** Nobody can pay to an address that was never shown, so an abandoned create needs no cancel. */
  readonly isPaidOnSight?: true;
  /** Tells two intents for the same money apart, so that they never share a key. */
  readonly mark?: string | undefined;
}

export interface DepositOptions {
  readonly method: PaymentMethod;
  readonly variant?: DepositVariant | undefined;
  /** Shows the errors of the form and moves the focus to the first one. */
  readonly onInvalid: () => void;
  /** The server refused the amount. True when the amount field shows the refusal. */
  readonly onRefusedAmount?: ((refusal: ClientError) => boolean) | undefined;
  /** The server refused these fields, by name. True when a field shows the refusal. */
  readonly onRefusedFields: (names: readonly string[]) => boolean;
  /** Shows any other failure beside the button. A screen without such a place shows a notification. */
  readonly onFault?: ((words: string) => void) | undefined;
  /** The server refused the bonus as ended: the user is asked again (BON-2). */
  readonly onBonusEnded?: (() => void) | undefined;
}

/** The screen of a form, as of its last render. */
export interface FormScreen extends DepositOptions {
  readonly services: Services;
  readonly texts: Texts;
  readonly place: Place;
  readonly order: Order | undefined;
  /** The bonus of the last press. */
  bonusId(): string | undefined;
  isCurrentPage(): boolean;
  showLink(link: Redirect): void;
}

/** The deposits that one form creates, one after the other. */
export interface FormDeposit {
  /** The ports of the last render, because the driver outlives renders. */
  readonly ports: () => DriverPorts;
  readonly services: Services;
  readonly runner: EngineRunner<DepositState, DepositEvent, Transaction>;
  readonly former: FormerKey<Transaction>;
  paymentWindow: PaymentWindow | undefined;
  isPaidOnSight: boolean;
  /** The deposit that the host believes to be in progress. */
  openAtHost: string | undefined;
}
