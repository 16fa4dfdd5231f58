/**
 * Carries out what the withdrawal engine decides (WD-2). The driver decides nothing: events go in, effects come out. No React
 * here; `use-withdrawal.ts` and `use-confirmation.ts` are its skins.
 */
import {
  type WithdrawalTransaction,
  withdrawalCancel,
  withdrawalConfirm,
  withdrawalCreate,
  withdrawalStatus,
} from '@opencashier/contract/api';
import type { CallFailure } from '@opencashier/core/deposit/create-failure';
import { requestFingerprint } from '@opencashier/core/deposit/request-fingerprint';
import { statusOfCode } from '@opencashier/core/transaction/status';
import { createStore } from 'zustand/vanilla';
import { ClientError } from '../../api/client.ts';
import { createFormerKey } from '../idempotency/former-key.ts';
import type { KeyOwner } from '../idempotency/pending-key.ts';
import { sentWithdrawal } from '../idempotency/sent-key.ts';
import type { ReadableStore, Services } from '../session/services.tsx';
import { pendingWithdrawal } from './pending-withdrawal.ts';
import { releasesSettled, releaseWithdrawal } from './release-withdrawal.ts';
import {
  type EngineEffect,
  type EngineEvent,
  type EngineState,
  initialState,
  isBusy,
  transition,
  type WithdrawalIntent,
  type WithdrawalRequest,
} from './withdrawal-engine.ts';

type CallEffect = Extract<EngineEffect, { type: 'call' }>;
export type StepKind = CallEffect['step']['kind'];

/** What the screen does when the engine says so. */
export interface DriverPorts {
  readonly services: Services;
  showErrors(): void;
  handleError(failure: CallFailure, step: StepKind, cause: unknown): void;
  go(to: 'confirm' | 'complete' | 'form', withdrawalId: string): void;
  makeId(): string;
}

export interface WithdrawalDriver extends ReadableStore<EngineState> {
  submit(request: WithdrawalRequest, isValid: boolean): void;
  confirm(code?: string): void;
  cancel(): void;
  /** The screen has gone. What is held, or is being created, and was not confirmed is given back. */
  dispose(): void;
}

export function createWithdrawalDriver(ports: DriverPorts, start: EngineState = initialState): WithdrawalDriver {
  const { services } = ports;
  const { api, clock } = services;
  const store = createStore<EngineState>(() => start);
  const aborter = new AbortController();
  let state = store.getState();
  let lastRequest = '';
  let creation: Promise<unknown> | undefined;
  let stopTimer: (() => void) | undefined;
  let isDisposed = false;
  let cause: unknown;

  const former = createFormerKey<WithdrawalTransaction>({
    clock,
    sent: sentWithdrawal,
    onFailure: (code) => services.metric('withdrawal.release-failed', code),
    async cancel({ id: withdrawalId }) {
      const known = await findTransaction(withdrawalId);
      const status = known && statusOfCode(known.status);
      if (status === 'mistaked') return undefined;
      // Confirmed: its person wants it, also where the server could still cancel it.
      if (status !== undefined && status !== 'waiting') return known;
      // A conflict now means that it was confirmed in between: the next question shows it.
      await api.call(withdrawalCancel, { withdrawalId });
      return undefined;
    },
  });

  /** What the server knows under the key, if anything. */
  const findTransaction = async (withdrawalId: string): Promise<WithdrawalTransaction | undefined> => {
    try {
      return await api.call(withdrawalStatus, { withdrawalId });
    } catch (error) {
      if (error instanceof ClientError && error.code === 'not-found') return undefined;
      throw error;
    }
  };

  const dispatch = (event: EngineEvent): void => {
    if (isDisposed) return;
    const next = transition(state, event);
    state = next.state;
    store.setState(state, true);
    // Cancelled, but nobody knows yet whether in time.
    const isOpen = former.isOpen() || next.effects.some(({ type }) => type === 'clear-former');
    const isEnd = state.at === 'over' || state.at === 'released' || (state.at === 'failed' && !isOpen);
    if (isEnd && 'withdrawalId' in state) sentWithdrawal.forget(state.withdrawalId);
    for (const effect of next.effects) carryOut(effect);
  };

  const failureOf = (error: unknown): CallFailure => {
    cause = error;
    if (!(error instanceof ClientError)) return { message: error instanceof Error ? error.message : String(error) };
    const { kind, status, code, message, reference } = error;
    // Without an answer there is no status: the outcome is not known.
    return { status: kind === 'refused' ? status : undefined, code, message, reference, isUnsent: kind === 'network' };
  };

  const create = async (run: number, { withdrawalId, request }: WithdrawalIntent): Promise<EngineEvent> => {
    const { userId } = services.session.getState().payload;
    // It may need the money that is just coming back.
    await releasesSettled(services);
    aborter.signal.throwIfAborted();
    if (former.isOpenBefore(withdrawalId, userId)) {
      const alive = await former.settled(aborter.signal);
      if (alive !== undefined) return { type: 'former-found', run, withdrawalId: alive.withdrawalId };
    }
    const isRepeat = sentWithdrawal.has(withdrawalId);
    sentWithdrawal.keep({ id: withdrawalId, paymentMethod: request.paymentMethod }, userId);
    try {
      const { status } = await api.call(withdrawalCreate, { ...request, withdrawalId });
      return { type: 'answered', run, status };
    } catch (error) {
      const failure = failureOf(error);
      // An earlier create under this key may have arrived, also where this one never left.
      return { type: 'call-failed', run, failure: isRepeat ? { ...failure, isUnsent: false } : failure };
    }
  };

  const makeCall = async ({ run, withdrawalId, step }: CallEffect): Promise<EngineEvent> => {
    switch (step.kind) {
      case 'create':
        return create(run, { ...step.intent, withdrawalId });
      case 'confirm':
        return answered(
          run,
          api.call(withdrawalConfirm, { withdrawalId, ...(step.code === undefined ? {} : { code: step.code }) }),
        );
      case 'cancel':
        return answered(run, api.call(withdrawalCancel, { withdrawalId }));
    }
  };

  const answered = async (run: number, answer: Promise<{ readonly status: number }>): Promise<EngineEvent> => ({
    type: 'answered',
    run,
    status: (await answer).status,
  });

  const call = (effect: CallEffect): void => {
    const { run, step } = effect;
    const answer = makeCall(effect);
    if (step.kind === 'create') creation = answer;
    void answer.then(dispatch, (error: unknown) => dispatch({ type: 'call-failed', run, failure: failureOf(error) }));
  };

  const askStatus = (run: number, withdrawalId: string): void => {
    void api.call(withdrawalStatus, { withdrawalId }, { signal: aborter.signal }).then(
      (transaction) => dispatch({ type: 'status-found', run, transaction }),
      (error: unknown) => {
        const isAbsent = error instanceof ClientError && error.code === 'not-found';
        dispatch(isAbsent ? { type: 'status-absent', run } : { type: 'status-failed', run });
      },
    );
  };

  const voidKey = (run: number, withdrawalId: string): void => {
    void api.call(withdrawalCancel, { withdrawalId, ifUnknown: true }, { signal: aborter.signal }).then(
      ({ isVoided, status }) =>
        dispatch(isVoided === true ? { type: 'key-voided', run } : { type: 'answered', run, status }),
      () => dispatch({ type: 'status-failed', run }),
    );
  };

  const carryOut = (effect: EngineEffect): void => {
    switch (effect.type) {
      case 'show-errors':
        ports.showErrors();
        break;
      case 'claim-id': {
        const { run, withdrawalId, request } = effect;
        void pendingWithdrawal
          .claim(withdrawalId, ownerOf(request), clock)
          .then((agreed) => dispatch({ type: 'claimed', run, withdrawalId: agreed }));
        break;
      }
      case 'store-id':
        pendingWithdrawal.keep(effect.withdrawalId, ownerOf(effect.request), clock.now());
        break;
      case 'forget-id':
        pendingWithdrawal.forget(effect.withdrawalId);
        break;
      case 'call':
        call(effect);
        break;
      case 'ask-status': {
        const { run, withdrawalId, afterMs } = effect;
        stopTimer?.();
        stopTimer = clock.setTimer(() => askStatus(run, withdrawalId), afterMs);
        break;
      }
      case 'void-key':
        voidKey(effect.run, effect.withdrawalId);
        break;
      case 'clear-former':
        former.clear({ id: effect.withdrawalId, paymentMethod: effect.paymentMethod });
        break;
      case 'start-anew':
        send(effect.request, ports.makeId(), true);
        break;
      case 'handle-error':
        ports.handleError(effect.failure, effect.step, cause);
        break;
      case 'report-metric':
        services.metric(`withdrawal.${effect.step}`, effect.outcome);
        break;
      case 'go':
        ports.go(effect.to, effect.withdrawalId);
        break;
    }
  };

  const ownerOf = ({ amount, currency, paymentMethod, selectedCountry, accountType }: WithdrawalRequest): KeyOwner => ({
    userId: services.session.getState().payload.userId,
    fingerprint: requestFingerprint({ amount, currency, paymentMethod, selectedCountry }) + accountType,
  });

  const send = (request: WithdrawalRequest, withdrawalId: string, isClaimed: boolean): void =>
    dispatch({ type: 'submit', intent: { withdrawalId, request, isRemembered: false }, isValid: true, isClaimed });

  const submitValid = (request: WithdrawalRequest): void => {
    const text = JSON.stringify(request);
    const isSameIntent = text === lastRequest;
    lastRequest = text;
    const kept = state.at === 'failed' && state.keepsId && isSameIntent ? state.withdrawalId : undefined;
    // After a reload and in another tab the engine starts anew, but the intent under way may be the same.
    send(request, kept ?? ports.makeId(), state.at !== 'idle');
  };

  return {
    getState: store.getState,
    subscribe: store.subscribe,
    submit(request, isValid) {
      if (isBusy(state)) return;
      if (isValid) submitValid(request);
      else ports.showErrors();
    },
    confirm: (code) => dispatch({ type: 'confirm', code }),
    cancel: () => dispatch({ type: 'cancel' }),
    dispose() {
      // What the form has made held, the confirm screen goes on with.
      const isLeft = state.at === 'held' && start.at === 'held';
      const isCreating = (state.at === 'calling' || state.at === 'checking') && state.step.kind === 'create';
      if ('withdrawalId' in state && (isLeft || (isCreating && creation !== undefined))) {
        releaseWithdrawal(services, state.withdrawalId, creation);
      }
      isDisposed = true;
      stopTimer?.();
      aborter.abort();
    },
  };
}
