/** What a form gives the deposit driver, and what the driver asks of the form. */
import type { CaptchaResult, Transaction } from '@opencashier/contract/api';
import type { CallFailure } from '@opencashier/core/deposit/create-failure';
import type { EngineEffect, EngineEvent, EngineState } from '@opencashier/core/deposit/engine-state';
import type { HasPage, NextStep } from '@opencashier/core/deposit/next-step';
import type { LinkPolicy } from '@opencashier/core/links/safe-link';
import type { ApiClient } from '../../api/client.ts';
import type { EngineRunner } from '../engine/engine-runner.ts';
import type { FormerKey } from '../idempotency/former-key.ts';
import type { PaymentWindow } from '../payment/payment-window.ts';
import type { Services } from '../session/services.tsx';
import type { CreateBody } from './create-deposit.ts';

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

/** What the engine asks the screen to do. */
export interface DriverPorts {
  readonly services: Services;
  /** The create call of the flow; `deposit-create` when there is none. */
  readonly create?: CreateStep | undefined;
  /** Title of the method, for the notice of a closed session. */
  readonly methodText: string;
  readonly linkPolicy: LinkPolicy;
  readonly hasPage: HasPage;
  /** Shown in the payment window until the provider's page loads. */
  readonly windowText: string;
  returnUrl(depositId: string): string;
  showErrors(): void;
  /** @param cause the error behind the failure, if there is one */
  handleError(failure: CallFailure, cause: unknown): void;
  go(step: FinishedStep, paymentWindow: PaymentWindow | undefined): void;
  /** Runs the captcha of the method; rejects when the captcha cannot be loaded or solved. */
  runCaptcha(signal: AbortSignal): Promise<CaptchaResult>;
  makeId(): string;
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
