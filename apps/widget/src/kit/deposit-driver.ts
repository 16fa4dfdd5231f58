/**
 * Carries out what core's deposit engine decides (DEP-1, DEP-2, DEP-7, DEP-9, DEP-16). The driver decides nothing: events go
 * in, effects come out. No React here; `use-deposit.ts` is its skin.
 */
import {
  type CaptchaResult,
  depositCancel,
  depositCreate,
  depositPrepare,
  depositStatus,
  type RequestOf,
  sessionFormOnCloseModal,
} from '@opencashier/contract/api';
import type { CallFailure } from '@opencashier/core/deposit/create-failure';
import {
  type DepositIntent,
  depositIdForSubmit,
  type EngineEffect,
  type EngineEvent,
  type EngineState,
  initialEngineState,
  isBusy,
  transition,
} from '@opencashier/core/deposit/engine';
import { type NextStep, nextStep } from '@opencashier/core/deposit/next-step';
import { requestFingerprint } from '@opencashier/core/deposit/request-fingerprint';
import type { LinkPolicy } from '@opencashier/core/links/safe-link';
import { CallFailed } from '../api/client.ts';
import { openPaymentWindow, type PaymentWindow } from './payment-window.ts';
import { readPendingDeposit, storePendingDeposit } from './pending-deposit.ts';
import type { ReadableStore, Services } from './services.tsx';

export type CreateRequest = Omit<RequestOf<typeof depositCreate>, 'depositId' | 'captcha'>;
export type DriverState = EngineState<CreateRequest>;
export type FinishedStep = Extract<DriverState, { at: 'done' }>['step'];

/** One press of the button. */
export interface Wish {
  /** The create call's body; the return address is added here, since it names the deposit. */
  readonly request: Omit<CreateRequest, 'returnUrl'>;
  readonly isValid: boolean;
  readonly needsPreparation: boolean;
  readonly needsCaptcha: boolean;
  readonly opensWindow: boolean;
}

/** What the screen does when the engine says so. */
export interface DriverPorts {
  readonly services: Services;
  /** Title of the method, for the notice of a closed session. */
  readonly methodText: string;
  readonly linkPolicy: LinkPolicy;
  /** What stands in the payment window until the provider's page comes. */
  readonly windowText: string;
  returnUrl(depositId: string): string;
  showErrors(): void;
  handleError(failure: CallFailure, cause: unknown): void;
  go(step: FinishedStep, paymentWindow: PaymentWindow | undefined): void;
  /** Runs the captcha of the method; rejects when it cannot be had. */
  runCaptcha(signal: AbortSignal): Promise<CaptchaResult>;
  makeId(): string;
}

export interface DepositDriver extends ReadableStore<DriverState> {
  /** Must be called within the tap, because of the payment window. */
  submit(wish: Wish): void;
  cancel(): void;
  close(): void;
  /** The screen has gone: nothing more is shown or opened. A creation that is under way goes on at the server. */
  dispose(): void;
}

export function createDepositDriver(ports: DriverPorts): DepositDriver {
  const { services } = ports;
  const { api, clock } = services;
  const listeners = new Set<() => void>();
  let state: DriverState = initialEngineState();
  let fingerprint = '';
  let paymentWindow: PaymentWindow | undefined;
  let aborter = new AbortController();
  let stopTimer: (() => void) | undefined;
  let isDisposed = false;
  let cause: unknown;

  const dispatch = (event: EngineEvent<CreateRequest>): void => {
    if (isDisposed) return;
    const next = transition(state, event);
    state = next.state;
    forgetSettled();
    for (const effect of next.effects) carryOut(effect);
    for (const listener of listeners) listener();
  };

  /** A settled deposit needs its key no more: the next wish is another deposit. */
  const forgetSettled = (): void => {
    const isSettled = state.at === 'done' || state.at === 'cancelled' || (state.at === 'failed' && !state.keepsId);
    if (isSettled) storePendingDeposit(undefined);
  };

  const failureOf = (error: unknown): CallFailure => {
    cause = error;
    if (!(error instanceof CallFailed)) return { message: error instanceof Error ? error.message : undefined };
    const { kind, status, code, message, reference } = error;
    // Without an answer there is no status: the outcome is not known.
    return { status: kind === 'refused' ? status : undefined, code, message, reference };
  };

  /** Sends the outcome of a call as an event, unless it was given up. */
  const settle = <Value>(
    work: Promise<Value>,
    done: (value: Value) => EngineEvent<CreateRequest>,
    failed: (failure: CallFailure) => EngineEvent<CreateRequest>,
  ): void => {
    const { signal } = aborter;
    work
      .then(done, (error: unknown) => failed(failureOf(error)))
      .then((event) => {
        if (!signal.aborted) dispatch(event);
      });
  };

  const askStatus = (run: number, depositId: string, paymentMethod: string): void => {
    const work = api.call(depositStatus, { depositId, paymentMethod }, { signal: aborter.signal });
    settle(
      work,
      (transaction) => ({ type: 'status-found', run, transaction }),
      ({ code }) => (code === 'not-found' ? { type: 'status-absent', run } : { type: 'status-failed', run }),
    );
  };

  const carryOut = (effect: EngineEffect<CreateRequest>): void => {
    const { signal } = aborter;
    switch (effect.type) {
      case 'show-errors':
        return ports.showErrors();
      case 'store-deposit-id':
        return storePendingDeposit({ depositId: effect.depositId, fingerprint });
      case 'open-window':
        paymentWindow = openPaymentWindow(ports.windowText);
        return;
      case 'close-window':
        paymentWindow?.close();
        paymentWindow = undefined;
        return;
      case 'prepare': {
        const { run } = effect;
        return settle(
          api.call(depositPrepare, { paymentMethod: effect.paymentMethod }, { signal }),
          ({ fields }) => ({ type: 'prepared', run, fields }),
          (failure) => ({ type: 'prepare-failed', run, failure }),
        );
      }
      case 'run-captcha': {
        const { run } = effect;
        return settle(
          ports.runCaptcha(signal),
          (result) => ({ type: 'captcha-done', run, result }),
          (failure) => ({ type: 'captcha-failed', run, failure }),
        );
      }
      case 'create': {
        const { run, depositId, request, captcha } = effect;
        const body = { ...request, depositId, ...(captcha === undefined ? {} : { captcha }) };
        return settle(
          api.call(depositCreate, body, { signal }),
          (response): EngineEvent<CreateRequest> => ({ type: 'created', run, step: readStep(response) }),
          (failure) => ({ type: 'create-failed', run, failure }),
        );
      }
      case 'ask-status': {
        const { run, depositId, paymentMethod, afterMs } = effect;
        stopTimer?.();
        stopTimer = clock.setTimer(() => askStatus(run, depositId, paymentMethod), afterMs);
        return;
      }
      case 'abort':
        aborter.abort();
        aborter = new AbortController();
        stopTimer?.();
        return;
      case 'cancel-deposit': {
        const { depositId, paymentMethod } = effect;
        // Whether it could be cancelled is the server's to know; the status says so later.
        api.call(depositCancel, { depositId, paymentMethod }).catch((error: unknown) => noteFailure('cancel', error));
        return;
      }
      case 'notify-session-closed': {
        const { userId } = services.session.get().payload;
        const notice = {
          paymentMethod: effect.paymentMethod,
          paymentMethodText: ports.methodText,
          ...(userId === undefined ? {} : { userId }),
        };
        api.call(sessionFormOnCloseModal, notice).catch((error: unknown) => noteFailure('session-closed', error));
        return;
      }
      case 'handle-error':
        return ports.handleError(effect.failure, cause);
      case 'report-metric':
        return services.metric('deposit.create', effect.outcome);
      case 'go':
        return ports.go(effect.step, paymentWindow);
      case 'show-fields':
        // The fields stand in the state; the screen draws them from there.
        return;
    }
  };

  const readStep = (response: Parameters<typeof nextStep>[0]): NextStep => nextStep(response, ports.linkPolicy);

  const noteFailure = (what: string, error: unknown): void =>
    services.metric(`deposit.${what}-failed`, error instanceof CallFailed ? error.code : 'unexpected');

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    submit({ request, ...wish }) {
      if (isBusy(state)) return;
      const next = requestFingerprint({ ...request, paymentMethod: request.paymentType });
      const pending = readPendingDeposit();
      const isSameWish = next === fingerprint;
      const depositId = depositIdForSubmit(state, isSameWish, () =>
        // After a reload the engine starts anew, but the wish under way may be the same.
        state.at === 'idle' && pending?.fingerprint === next ? pending.depositId : ports.makeId(),
      );
      fingerprint = next;
      const intent: DepositIntent<CreateRequest> = {
        depositId,
        request: { ...request, returnUrl: ports.returnUrl(depositId) },
        paymentMethod: request.paymentType,
        needsPreparation: wish.needsPreparation,
        needsCaptcha: wish.needsCaptcha,
        opensWindow: wish.opensWindow,
      };
      dispatch({ type: 'submit', intent, isValid: wish.isValid });
    },
    cancel: () => dispatch({ type: 'cancel' }),
    close: () => dispatch({ type: 'close' }),
    dispose() {
      // An empty window would wait for ever; one with the provider's page is the person's own.
      if (isBusy(state)) paymentWindow?.close();
      isDisposed = true;
      stopTimer?.();
      listeners.clear();
    },
  };
}
