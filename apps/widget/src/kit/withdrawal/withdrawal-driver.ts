/**
 * Runs the withdrawal engine for a screen (WD-2). The driver decides nothing: events go in, effects come out. No React here;
 * `use-withdrawal.ts` and `use-confirmation.ts` connect it to their screens.
 */
import { type WithdrawalTransaction, withdrawalCancel, withdrawalStatus } from '@opencashier/contract/api';
import { statusOfCode } from '@opencashier/core/transaction/status';
import { type ApiClient, ClientError } from '../../api/client.ts';
import { createEngineRunner } from '../engine/engine-runner.ts';
import { createFormerKey } from '../idempotency/former-key.ts';
import { sentWithdrawal } from '../idempotency/sent-key.ts';
import type { ReadableStore } from '../session/services.tsx';
import { releaseWithdrawal } from './release-withdrawal.ts';
import { carryOut, type DriverPorts, type ScreenWithdrawal, send } from './withdrawal-effects.ts';
import {
  type EngineEffect,
  type EngineEvent,
  type EngineState,
  initialState,
  isBusy,
  transition,
  type WithdrawalRequest,
} from './withdrawal-engine.ts';

export interface WithdrawalDriver extends ReadableStore<EngineState> {
  submit(request: WithdrawalRequest, isValid: boolean): void;
  confirm(code?: string): void;
  cancel(): void;
  /** The screen has gone. An unconfirmed amount that is on hold, or whose create is in progress, is given back. */
  dispose(): void;
}

export function createWithdrawalDriver(ports: DriverPorts, start: EngineState = initialState): WithdrawalDriver {
  const { services } = ports;
  let lastRequest = '';
  const withdrawal: ScreenWithdrawal = {
    ports,
    former: createFormerKey({
      services,
      sent: sentWithdrawal,
      failureMetric: 'withdrawal.release-failed',
      cancel: ({ id }) => cancelSent(services.api, id),
    }),
    runner: createEngineRunner<EngineState, EngineEvent, EngineEffect, WithdrawalTransaction>({
      clock: services.clock,
      start,
      transition,
      onState: (state, effects) => forgetSettled(state, withdrawal.former.isOpen(effects)),
      carryOut: (effect) => carryOut(withdrawal, effect),
    }),
    creation: undefined,
  };
  const { runner } = withdrawal;
  return {
    getState: runner.getState,
    subscribe: runner.subscribe,
    submit(request, isValid) {
      const state = runner.getState();
      if (isBusy(state)) return;
      if (!isValid) return ports.showErrors();
      const text = JSON.stringify(request);
      const isSameIntent = text === lastRequest;
      lastRequest = text;
      const kept = state.at === 'failed' && state.keepsId && isSameIntent ? state.withdrawalId : undefined;
      // After a reload and in another tab the engine starts idle, but the same intent may be in progress.
      send(withdrawal, request, kept ?? ports.makeId(), state.at !== 'idle');
    },
    confirm: (code) => runner.dispatch({ type: 'confirm', code }),
    cancel: () => runner.dispatch({ type: 'cancel' }),
    dispose: () => leave(withdrawal, start),
  };
}

/** Cancels an earlier withdrawal of this tab. Answers a withdrawal that stays, because the user has confirmed it. */
async function cancelSent(api: ApiClient, withdrawalId: string): Promise<WithdrawalTransaction | undefined> {
  const known = await findTransaction(api, withdrawalId);
  const status = known && statusOfCode(known.status);
  if (status === 'mistaked') return undefined;
  // The user wants a confirmed withdrawal, even if the server could still cancel it.
  if (status !== undefined && status !== 'waiting') return known;
  // A conflict here means that it was confirmed meanwhile. The next status shows it.
  await api.call(withdrawalCancel, { withdrawalId });
  return undefined;
}

/** What the server knows under the key; undefined for an unknown key. */
async function findTransaction(api: ApiClient, withdrawalId: string): Promise<WithdrawalTransaction | undefined> {
  try {
    return await api.call(withdrawalStatus, { withdrawalId });
  } catch (error) {
    if (error instanceof ClientError && error.code === 'not-found') return undefined;
    throw error;
  }
}

/** @param isOpen the server has not confirmed yet that an earlier create is void */
function forgetSettled(state: EngineState, isOpen: boolean): void {
  const isEnd = state.at === 'over' || state.at === 'released' || (state.at === 'failed' && !isOpen);
  if (isEnd) sentWithdrawal.forget(state.withdrawalId);
}

/** @param start the first state of the screen. A held amount belongs to the screen that started with it */
function leave({ ports, runner, creation }: ScreenWithdrawal, start: EngineState): void {
  const state = runner.getState();
  // The confirm screen starts with the amount that the form has put on hold.
  const isLeft = state.at === 'held' && start.at === 'held';
  const isCreating = (state.at === 'calling' || state.at === 'checking') && state.step.kind === 'create';
  if ('withdrawalId' in state && (isLeft || (isCreating && creation !== undefined))) {
    releaseWithdrawal(ports.services, state.withdrawalId, creation);
  }
  runner.dispose();
  runner.abort();
}
