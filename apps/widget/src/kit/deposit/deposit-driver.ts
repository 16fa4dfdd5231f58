/**
 * Carries out what core's deposit engine decides (DEP-1, DEP-2, DEP-7, DEP-9, DEP-16). The driver decides nothing: events go
 * in, effects come out. No React here; `use-deposit.ts` is its skin.
 */
import {
  type CaptchaResult,
  depositCancel,
  depositPrepare,
  depositStatus,
  sessionFormOnCloseModal,
} from '@opencashier/contract/api';
import type { CallFailure } from '@opencashier/core/deposit/create-failure';
import {
  depositIdForSubmit,
  initialEngineState,
  isBusy,
  knownDeposit,
  transition,
} from '@opencashier/core/deposit/engine';
import type { DepositIntent, EngineEffect, EngineEvent, EngineState } from '@opencashier/core/deposit/engine-state';
import { type HasPage, type NextStep, nextStep } from '@opencashier/core/deposit/next-step';
import { requestFingerprint } from '@opencashier/core/deposit/request-fingerprint';
import type { LinkPolicy } from '@opencashier/core/links/safe-link';
import { statusOfCode } from '@opencashier/core/transaction/status';
import { createStore } from 'zustand/vanilla';
import { type ApiClient, ClientError } from '../../api/client.ts';
import { createFormerKey } from '../idempotency/former-key.ts';
import { sentDeposit } from '../idempotency/sent-key.ts';
import { openPaymentWindow, type PaymentWindow } from '../payment/payment-window.ts';
import type { ReadableStore, Services } from '../session/services.tsx';
import { tellHost } from '../session/use-host-event.ts';
import { type CreateBody, createDeposit } from './create-deposit.ts';
import { pendingDeposit } from './pending-deposit.ts';

/** Without what names the deposit: its key is agreed on with other tabs after the press. */
export type CreateRequest = Omit<CreateBody, 'depositId' | 'captcha' | 'returnUrl'>;
export type DriverState = EngineState<CreateRequest>;
type Effect = EngineEffect<CreateRequest>;
export type FinishedStep = Extract<DriverState, { at: 'done' }>['step'];
/** A step that goes on at a screen of the widget's own. */
export type PageStep = Exclude<FinishedStep, { kind: 'redirect' }>;
/** Makes the create call of a flow and reads its answer. */
export type CreateStep = (body: CreateBody, api: ApiClient, signal: AbortSignal) => Promise<NextStep>;

/** One press of the button. */
export interface DepositPress {
  /** The create call's body. */
  readonly request: CreateRequest;
  readonly isValid: boolean;
  /** What else makes it another intent than one with the same money, such as the network of a coin. */
  readonly mark?: string | undefined;
  readonly needsPreparation: boolean;
  readonly needsCaptcha: boolean;
  readonly opensWindow: boolean;
  /** Nobody can pay it before its answer is shown: left behind, it needs no cancel. */
  readonly isPaidOnSight?: boolean;
}

/** What the screen does when the engine says so. */
export interface DriverPorts {
  readonly services: Services;
  /** The create call of the flow; `deposit-create` when there is none. */
  readonly create?: CreateStep | undefined;
  /** Title of the method, for the notice of a closed session. */
  readonly methodText: string;
  readonly linkPolicy: LinkPolicy;
  readonly hasPage: HasPage;
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
  submit(press: DepositPress): void;
  cancel(): void;
  close(): void;
  /** The screen has gone: nothing more is shown or opened. A creation that is under way goes on at the server. */
  dispose(): void;
}

/** @param ports what the screen brought last: the driver outlives its renders */
export function createDepositDriver(ports: () => DriverPorts): DepositDriver {
  const { services } = ports();
  const { api, clock } = services;
  const store = createStore<DriverState>(() => initialEngineState());
  let state = store.getState();
  let fingerprint = '';
  let paymentWindow: PaymentWindow | undefined;
  let aborter = new AbortController();
  let stopTimer: (() => void) | undefined;
  let isDisposed = false;
  let isPaidOnSight = false;
  /** What the host believes to be under way. */
  let doubted: string | undefined;
  let cause: unknown;
  const former = createFormerKey({
    clock,
    sent: sentDeposit,
    onFailure: (code) => services.metric('deposit.cancel-failed', code),
    async cancel({ id, paymentMethod }) {
      const { isCancelled, transaction } = await api.call(depositCancel, { depositId: id, paymentMethod });
      if (!isCancelled && transaction !== undefined && statusOfCode(transaction.status) !== 'mistaked')
        return transaction;
      tellDoubted(id);
      return undefined;
    },
  });

  const dispatch = (event: EngineEvent<CreateRequest>): void => {
    if (isDisposed) return;
    const next = transition(state, event);
    state = next.state;
    store.setState(state, true);
    // Cancelled, but nobody knows yet whether in time.
    const isOpen = former.isOpen() || next.effects.some(({ type }) => type === 'clear-former');
    forgetSettled(isOpen);
    tell(isOpen);
    for (const effect of next.effects) carryOut(effect);
  };

  /** HOST-15: whoever closes the cashier in the middle of it leaves a host behind that knows what may still be paid. */
  const tell = (isOpen: boolean): void => {
    const known = knownDeposit(state);
    if (known) tellHost(services.post, 'depositId', known.depositId, known.status);
    else if (state.at === 'failed' && !isOpen) tellDoubted(state.depositId);
    // A repeat under the same key is the same deposit.
    doubted = known?.depositId ?? (isBusy(state) || isOpen ? doubted : undefined);
  };

  /** Certain by now: nothing comes of what was being checked. */
  const tellDoubted = (depositId: string): void => {
    if (depositId === doubted) tellHost(services.post, 'depositId', depositId, 'mistaked');
  };

  /** A settled deposit needs its key no more: the next intent is another deposit. */
  const forgetSettled = (isOpen: boolean): void => {
    if (state.at === 'done' || (state.at === 'failed' && !isOpen)) sentDeposit.forget(state.depositId);
    // A tab that was pressed in the same moment gets this very deposit.
    if (state.at === 'done') pendingDeposit.settle(state.depositId);
    if (state.at === 'cancelled' || (state.at === 'failed' && !state.keepsId)) pendingDeposit.forget(state.depositId);
  };

  const failureOf = (error: unknown): CallFailure => {
    cause = error;
    if (!(error instanceof ClientError)) return { message: error instanceof Error ? error.message : undefined };
    const { kind, status, code, message, params, reference } = error;
    const isUnsent = kind === 'network';
    // Without an answer there is no status: the outcome is not known.
    return { status: kind === 'refused' ? status : undefined, code, message, params, reference, isUnsent };
  };

  /** Sends the outcome of a call as an event, unless it was given up. */
  const settle = <Value>(
    work: Promise<Value>,
    done: (value: Value) => EngineEvent<CreateRequest>,
    failed: (failure: CallFailure) => EngineEvent<CreateRequest>,
  ): void => {
    const { signal } = aborter;
    const report = (event: EngineEvent<CreateRequest>): void => {
      if (!signal.aborted) dispatch(event);
    };
    void work.then(
      (value) => report(done(value)),
      (error: unknown) => report(failed(failureOf(error))),
    );
  };

  const askStatus = (run: number, depositId: string, paymentMethod: string): void => {
    const work = api.call(depositStatus, { depositId, paymentMethod }, { signal: aborter.signal });
    settle(
      work,
      (transaction) => ({ type: 'status-found', run, transaction }),
      ({ code }) => (code === 'not-found' ? { type: 'status-absent', run } : { type: 'status-failed', run }),
    );
  };

  const voidKey = ({ run, depositId, paymentMethod, ifUnknown }: Extract<Effect, { type: 'void-key' }>): void =>
    settle(
      api.call(
        depositCancel,
        { depositId, paymentMethod, ...(ifUnknown && { ifUnknown }) },
        { signal: aborter.signal },
      ),
      ({ isCancelled, transaction }) => {
        if (isCancelled && (transaction === undefined || !ifUnknown)) return { type: 'key-voided', run };
        return transaction === undefined ? { type: 'status-failed', run } : { type: 'status-found', run, transaction };
      },
      () => ({ type: 'status-failed', run }),
    );

  const carryOut = (effect: EngineEffect<CreateRequest>): void => {
    const { signal } = aborter;
    switch (effect.type) {
      case 'show-errors':
        ports().showErrors();
        break;
      case 'claim-deposit-id': {
        const { run, depositId } = effect;
        const owner = { userId: services.session.getState().payload.userId, fingerprint };
        void pendingDeposit.claim(depositId, owner, clock).then((agreed) => {
          if (!signal.aborted) dispatch({ type: 'claimed', run, depositId: agreed });
        });
        break;
      }
      case 'open-window':
        paymentWindow = openPaymentWindow(ports().windowText);
        break;
      case 'close-window':
        paymentWindow?.close();
        paymentWindow = undefined;
        break;
      case 'prepare':
        settle(
          api.call(depositPrepare, { paymentMethod: effect.paymentMethod }, { signal }),
          ({ fields }) => ({ type: 'prepared', run: effect.run, fields }),
          (failure) => ({ type: 'prepare-failed', run: effect.run, failure }),
        );
        break;
      case 'run-captcha':
        settle(
          ports().runCaptcha(signal),
          (result) => ({ type: 'captcha-done', run: effect.run, result }),
          (failure) => ({ type: 'captcha-failed', run: effect.run, failure }),
        );
        break;
      case 'create':
        create(effect, signal);
        break;
      case 'ask-status': {
        const { run, depositId, paymentMethod, afterMs } = effect;
        stopTimer?.();
        stopTimer = clock.setTimer(() => askStatus(run, depositId, paymentMethod), afterMs);
        break;
      }
      case 'void-key':
        voidKey(effect);
        break;
      case 'clear-former':
        former.clear({ id: effect.depositId, paymentMethod: effect.paymentMethod });
        break;
      case 'abort':
        aborter.abort();
        aborter = new AbortController();
        stopTimer?.();
        break;
      case 'notify-session-closed':
        notifySessionClosed(effect.paymentMethod);
        break;
      case 'handle-error':
        ports().handleError(effect.failure, cause);
        break;
      case 'report-metric':
        services.metric('deposit.create', effect.outcome);
        break;
      case 'go':
        ports().go(effect.step, paymentWindow);
        break;
      case 'show-fields':
        // The fields stand in the state; the screen draws them from there.
        break;
    }
  };

  const create = (effect: Extract<EngineEffect<CreateRequest>, { type: 'create' }>, signal: AbortSignal): void => {
    const { run, depositId, request, captcha } = effect;
    const { userId } = services.session.getState().payload;
    const isSharedKey = 'isSharedKey' in state && state.isSharedKey;
    const returnUrl = ports().returnUrl(depositId);
    const body = { ...request, depositId, returnUrl, ...(captcha === undefined ? {} : { captcha }) };
    const createUsual = async () =>
      nextStep(await createDeposit(api, body, { signal }), ports().linkPolicy, ports().hasPage);
    const send = (): Promise<NextStep> => ports().create?.(body, api, signal) ?? createUsual();
    const afterFormer = async (): Promise<EngineEvent<CreateRequest>> => {
      const alive = await former.settled(signal);
      if (alive !== undefined) return { type: 'former-found', run, transaction: alive };
      // The person has left meanwhile, and may be sending another deposit already.
      if (isDisposed) return { type: 'create-failed', run, failure: { isUnsent: true } };
      return { type: 'created', run, step: await sendOwn() };
    };
    const sendOwn = (): Promise<NextStep> => {
      // A deposit of another tab is that tab's to cancel.
      if (!isSharedKey && !isPaidOnSight)
        sentDeposit.keep({ id: depositId, paymentMethod: request.paymentType }, userId);
      return send();
    };
    const created = (step: NextStep): EngineEvent<CreateRequest> => ({ type: 'created', run, step });
    // An earlier create of this very deposit may have arrived, also where this one never left.
    const isRepeat = sentDeposit.has(depositId);
    settle(
      former.isOpenBefore(depositId, userId) ? afterFormer() : sendOwn().then(created),
      (event) => event,
      (failure) => ({ type: 'create-failed', run, failure: isRepeat ? { ...failure, isUnsent: false } : failure }),
    );
  };

  /** DEP-9: a notice for statistics, never a cancel. The transport lets it outlive the page. */
  const notifySessionClosed = (paymentMethod: string): void => {
    const { userId } = services.session.getState().payload;
    const notice = {
      paymentMethod,
      paymentMethodText: ports().methodText,
      ...(userId === undefined ? {} : { userId }),
    };
    api
      .call(sessionFormOnCloseModal, notice)
      .catch((error: unknown) =>
        services.metric('deposit.session-closed-failed', error instanceof ClientError ? error.code : 'unexpected'),
      );
  };

  return {
    getState: store.getState,
    subscribe: store.subscribe,
    submit({ request, ...press }) {
      if (isBusy(state)) return;
      const next = requestFingerprint({ ...request, paymentMethod: request.paymentType }) + (press.mark ?? '');
      const depositId = depositIdForSubmit(state, next === fingerprint, ports().makeId);
      fingerprint = next;
      isPaidOnSight = press.isPaidOnSight === true;
      const intent: DepositIntent<CreateRequest> = {
        depositId,
        request,
        paymentMethod: request.paymentType,
        needsPreparation: press.needsPreparation,
        needsCaptcha: press.needsCaptcha,
        opensWindow: press.opensWindow,
      };
      dispatch({ type: 'submit', intent, isValid: press.isValid });
    },
    cancel: () => dispatch({ type: 'cancel' }),
    close: () => dispatch({ type: 'close' }),
    dispose() {
      // An empty window would wait for ever; one with the provider's page is the person's own.
      if (isBusy(state)) paymentWindow?.close();
      // Nobody will be there to hear the answer, and the deposit may be paid.
      if (state.at === 'creating') tellHost(services.post, 'depositId', state.intent.depositId, 'waiting');
      isDisposed = true;
      stopTimer?.();
    },
  };
}
