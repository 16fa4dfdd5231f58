/**
 * Runs core's deposit engine for a form (DEP-1, DEP-2, DEP-7, DEP-9, DEP-16). The driver decides nothing: events go in, effects come
 * out. No React here; `deposit-run.ts` connects it to a screen. Loaded when a form is on the screen.
 */
import { depositCancel, type Transaction } from '@opencashier/contract/api';
import { depositIdForSubmit, initialEngineState, knownDeposit, transition } from '@opencashier/core/deposit/engine';
import { isBusy } from '@opencashier/core/deposit/engine-state';
import { requestFingerprint } from '@opencashier/core/deposit/request-fingerprint';
import { statusOfCode } from '@opencashier/core/transaction/status';
import { createEngineRunner } from '../engine/engine-runner.ts';
import { createFormerKey } from '../idempotency/former-key.ts';
import { type Sent, sentDeposit } from '../idempotency/sent-key.ts';
import { tellHost } from '../session/use-host-event.ts';
import { carryOut } from './deposit-effects.ts';
import type {
  CreateRequest,
  DepositDriver,
  DepositEffect,
  DepositEvent,
  DepositState,
  DriverPorts,
  FormDeposit,
} from './deposit-ports.ts';
import { pendingDeposit } from './pending-deposit.ts';

/** @param ports the ports of the last render, because the driver outlives renders */
export function createDepositDriver(ports: () => DriverPorts): DepositDriver {
  const { services } = ports();
  let fingerprint = '';
  const deposit: FormDeposit = {
    ports,
    services,
    former: createFormerKey({
      services,
      sent: sentDeposit,
      failureMetric: 'deposit.cancel-failed',
      cancel: (key) => cancelSent(deposit, key),
    }),
    runner: createEngineRunner<DepositState, DepositEvent, DepositEffect, Transaction>({
      clock: services.clock,
      start: initialEngineState<CreateRequest>(),
      transition,
      onState(state, effects) {
        const isOpen = deposit.former.isOpen(effects);
        forgetSettled(state, isOpen);
        tellHostOf(deposit, state, isOpen);
      },
      carryOut: (effect) => carryOut(deposit, effect, fingerprint),
    }),
    paymentWindow: undefined,
    isPaidOnSight: false,
    openAtHost: undefined,
  };
  const { runner } = deposit;
  return {
    getState: runner.getState,
    subscribe: runner.subscribe,
    submit({ isValid, isPaidOnSight, mark = '', ...press }) {
      const state = runner.getState();
      if (isBusy(state)) return;
      const paymentMethod = press.request.paymentType;
      const next = requestFingerprint({ ...press.request, paymentMethod }) + mark;
      const depositId = depositIdForSubmit(state, next === fingerprint, ports().makeId);
      fingerprint = next;
      deposit.isPaidOnSight = isPaidOnSight === true;
      runner.dispatch({ type: 'submit', intent: { ...press, paymentMethod, depositId }, isValid });
    },
    cancel: () => runner.dispatch({ type: 'cancel' }),
    close: () => runner.dispatch({ type: 'close' }),
    dispose: () => leave(deposit),
  };
}

/** Cancels an earlier create of this tab. Answers its deposit if it can no longer be cancelled. */
async function cancelSent(deposit: FormDeposit, { id, paymentMethod }: Sent): Promise<Transaction | undefined> {
  const { api } = deposit.services;
  const { isCancelled, transaction } = await api.call(depositCancel, { depositId: id, paymentMethod });
  if (!isCancelled && transaction !== undefined && statusOfCode(transaction.status) !== 'mistaked') return transaction;
  tellDeclined(deposit, id);
  return undefined;
}

/**
 * The user may close the cashier at any moment. So the host must always know which deposit may still be paid (HOST-15).
 * @param isOpen the server has not confirmed yet that an earlier create is void
 */
function tellHostOf(deposit: FormDeposit, state: DepositState, isOpen: boolean): void {
  const known = knownDeposit(state);
  if (known) tellHost(deposit.services.post, 'depositId', known.depositId, known.status);
  else if (state.at === 'failed' && !isOpen) tellDeclined(deposit, state.depositId);
  // A repeat under the same key is the same deposit.
  deposit.openAtHost = known?.depositId ?? (isBusy(state) || isOpen ? deposit.openAtHost : undefined);
}

/** Tells the host that the deposit failed for certain, if the host has heard of the deposit. */
function tellDeclined({ openAtHost, services }: FormDeposit, depositId: string): void {
  if (depositId === openAtHost) tellHost(services.post, 'depositId', depositId, 'mistaked');
}

/** A settled deposit gives up its key: the next press is another deposit. */
function forgetSettled(state: DepositState, isOpen: boolean): void {
  if (state.at === 'done' || (state.at === 'failed' && !isOpen)) sentDeposit.forget(state.depositId);
  // Another tab that was pressed at the same moment gets this deposit.
  if (state.at === 'done') pendingDeposit.settle(state.depositId);
  if (state.at === 'cancelled' || (state.at === 'failed' && !state.keepsId)) pendingDeposit.forget(state.depositId);
}

function leave({ runner, paymentWindow, services }: FormDeposit): void {
  const state = runner.getState();
  // An empty window would wait forever. A window with the provider's page belongs to the payer.
  if (isBusy(state)) paymentWindow?.close();
  // No screen will get the answer, and the deposit may be paid.
  if (state.at === 'creating') tellHost(services.post, 'depositId', state.intent.depositId, 'waiting');
  runner.dispose();
  // The captcha is no part of the form: it would stay over the next page. A create that was sent continues.
  if (state.at === 'captcha') runner.abort();
}
