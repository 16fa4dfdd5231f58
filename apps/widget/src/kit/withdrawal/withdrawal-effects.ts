/** Carries out the effects of the withdrawal engine. */
import {
  type WithdrawalTransaction,
  withdrawalCancel,
  withdrawalConfirm,
  withdrawalCreate,
  withdrawalStatus,
} from '@opencashier/contract/api';
import type { CallFailure } from '@opencashier/core/deposit/create-failure';
import { requestFingerprint } from '@opencashier/core/deposit/request-fingerprint';
import { causeOf } from '../engine/call-failure.ts';
import type { EngineRunner } from '../engine/engine-runner.ts';
import type { FormerKey } from '../idempotency/former-key.ts';
import type { KeyOwner } from '../idempotency/pending-key.ts';
import { sentWithdrawal } from '../idempotency/sent-key.ts';
import type { Services } from '../session/services.tsx';
import { pendingWithdrawal } from './pending-withdrawal.ts';
import { releasesSettled } from './release-withdrawal.ts';
import type {
  EngineEffect,
  EngineEvent,
  EngineState,
  WithdrawalIntent,
  WithdrawalRequest,
} from './withdrawal-engine.ts';

type EffectOf<Type extends EngineEffect['type']> = Extract<EngineEffect, { type: Type }>;
export type StepKind = EffectOf<'call'>['step']['kind'];

/** What the engine asks the screen to do. */
export interface DriverPorts {
  readonly services: Services;
  showErrors(): void;
  /** @param cause the error behind the failure, if there is one */
  handleError(failure: CallFailure, step: StepKind, cause: unknown): void;
  go(to: 'confirm' | 'complete' | 'form', withdrawalId: string): void;
  makeId(): string;
}

/** The withdrawals that one screen creates or continues, one after the other. */
export interface ScreenWithdrawal {
  readonly ports: DriverPorts;
  readonly runner: EngineRunner<EngineState, EngineEvent, WithdrawalTransaction>;
  readonly former: FormerKey<WithdrawalTransaction>;
  /** Settles when the create call is answered; undefined before a create call. */
  creation: Promise<unknown> | undefined;
}

export function carryOut(withdrawal: ScreenWithdrawal, effect: EngineEffect): void {
  const { ports, runner, former } = withdrawal;
  const { services } = ports;
  switch (effect.type) {
    case 'show-errors':
      ports.showErrors();
      break;
    case 'claim-id':
      void claimKey(services, effect).then(runner.dispatch);
      break;
    case 'store-id':
      pendingWithdrawal.keep(effect.withdrawalId, ownerOf(services, effect.request), services.clock.now());
      break;
    case 'forget-id':
      pendingWithdrawal.forget(effect.withdrawalId);
      break;
    case 'call':
      call(withdrawal, effect);
      break;
    case 'ask-status': {
      const { withdrawalId } = effect;
      const ask = (signal: AbortSignal) => services.api.call(withdrawalStatus, { withdrawalId }, { signal });
      runner.askStatus(effect.run, ask, effect.afterMs);
      break;
    }
    case 'void-key':
      runner.follow(voidKey(services, effect, runner.signal()), () => ({ type: 'status-failed', run: effect.run }));
      break;
    case 'clear-former':
      former.clear({ id: effect.withdrawalId, paymentMethod: effect.paymentMethod });
      break;
    case 'send-under-new-key':
      send(withdrawal, effect.request, ports.makeId(), true);
      break;
    case 'handle-error':
      ports.handleError(effect.failure, effect.step, causeOf(effect.failure));
      break;
    case 'report-metric':
      services.metric(`withdrawal.${effect.step}`, effect.outcome);
      break;
    case 'go':
      ports.go(effect.to, effect.withdrawalId);
      break;
  }
}

/** @param isClaimed the key already belongs to this intent, so other tabs are not asked */
export function send(
  { runner }: ScreenWithdrawal,
  request: WithdrawalRequest,
  withdrawalId: string,
  isClaimed: boolean,
): void {
  const intent: WithdrawalIntent = { withdrawalId, request, isRemembered: false };
  runner.dispatch({ type: 'submit', intent, isValid: true, isClaimed });
}

/** WD-2: one intent has one key in every tab. */
async function claimKey(
  services: Services,
  { run, withdrawalId: proposed, request }: EffectOf<'claim-id'>,
): Promise<EngineEvent> {
  const withdrawalId = await pendingWithdrawal.claim(proposed, ownerOf(services, request), services.clock);
  return { type: 'claimed', run, withdrawalId };
}

function ownerOf({ session }: Services, request: WithdrawalRequest): KeyOwner {
  const { amount, currency, paymentMethod, selectedCountry, accountType } = request;
  return {
    userId: session.getState().payload.userId,
    fingerprint: requestFingerprint({ amount, currency, paymentMethod, selectedCountry }) + accountType,
  };
}

function call(withdrawal: ScreenWithdrawal, effect: EffectOf<'call'>): void {
  const isCreate = effect.step.kind === 'create';
  const isRepeat = isCreate && sentWithdrawal.has(effect.withdrawalId);
  const answer = callStep(withdrawal, effect);
  if (isCreate) withdrawal.creation = answer;
  withdrawal.runner.follow(answer, (failure) => ({ type: 'call-failed', run: effect.run, failure }), isRepeat);
}

async function callStep(withdrawal: ScreenWithdrawal, effect: EffectOf<'call'>): Promise<EngineEvent> {
  const { run, withdrawalId, step } = effect;
  const { api } = withdrawal.ports.services;
  if (step.kind === 'create') return create(withdrawal, run, withdrawalId, step.intent.request);
  const { status } = await (step.kind === 'confirm'
    ? api.call(withdrawalConfirm, { withdrawalId, ...(step.code !== undefined && { code: step.code }) })
    : api.call(withdrawalCancel, { withdrawalId }));
  return { type: 'answered', run, status };
}

async function create(
  { ports: { services }, runner, former }: ScreenWithdrawal,
  run: number,
  withdrawalId: string,
  request: WithdrawalRequest,
): Promise<EngineEvent> {
  const { userId } = services.session.getState().payload;
  const signal = runner.signal();
  // The new withdrawal may need the money of a release in progress.
  await releasesSettled(services);
  signal.throwIfAborted();
  return former.create<EngineEvent>(runner, {
    key: { id: withdrawalId, paymentMethod: request.paymentMethod },
    userId,
    async send() {
      const { status } = await services.api.call(withdrawalCreate, { ...request, withdrawalId });
      return { type: 'answered', run, status };
    },
    found: (alive) => ({ type: 'former-found', run, withdrawalId: alive.withdrawalId }),
  });
}

async function voidKey(
  { api }: Services,
  { run, withdrawalId }: EffectOf<'void-key'>,
  signal: AbortSignal,
): Promise<EngineEvent> {
  const { isVoided, status } = await api.call(withdrawalCancel, { withdrawalId, ifUnknown: true }, { signal });
  return isVoided === true ? { type: 'key-voided', run } : { type: 'answered', run, status };
}
