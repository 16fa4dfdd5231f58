/**
 * The driver of a form's deposits before its code is there (DEP-1, DEP-2). A press waits for the code and is carried out once. What
 * a browser allows only within the tap is done within the tap. No React here.
 */
import { isBusy } from '@opencashier/core/deposit/engine-state';
import type { Clock } from '@opencashier/core/time/clock';
import { createStore } from 'zustand/vanilla';
import { insistInTime } from '../../api/insist.ts';
import type { PaymentWindow } from '../payment/payment-window.ts';
import type { ReadableStore } from '../session/services.tsx';
import type { DepositDriver, DepositPress, DepositState } from './deposit-ports.ts';

/** `starting`: a press waits for the code. Nothing was sent yet. */
export type FormState = DepositState | { readonly at: 'starting' };

/** True while a deposit is being created, or waits for the code that creates it. */
export function isCreating(state: FormState): boolean {
  return state.at === 'starting' || isBusy(state);
}

export interface DeferredDriverPorts {
  /** Fetches the code and makes the driver. @param openWindow answers the window of the press that waited, or opens one */
  load(openWindow: () => PaymentWindow | undefined): Promise<DepositDriver>;
  openWindow(): PaymentWindow | undefined;
  showErrors(): void;
  /** The code did not come for a press, which sent nothing. */
  failed(): void;
}

export interface DeferredDriver extends Omit<DepositDriver, 'getState' | 'getServerState'>, ReadableStore<FormState> {
  /** Loads the code ahead of a press. */
  prepare(): void;
}

const idle: FormState = { at: 'idle', run: 0 };

/** @param ports the ports of the last render, because the driver outlives renders */
export function createDeferredDriver(clock: Clock, ports: () => DeferredDriverPorts): DeferredDriver {
  const { getState, setState, subscribe } = createStore<FormState>(() => idle);
  let driver: DepositDriver | undefined;
  let loading: Promise<void> | undefined;
  let press: DepositPress | undefined;
  /** The window that was opened within the tap of `press`. Undefined inside where the browser blocked it. */
  let ahead: { readonly opened: PaymentWindow | undefined } | undefined;
  let isDisposed = false;

  const openWindow = (): PaymentWindow | undefined => {
    const waiting = ahead;
    ahead = undefined;
    return waiting === undefined ? ports().openWindow() : waiting.opened;
  };
  /** Forgets the press that waits. An empty window would wait forever. */
  const drop = (): void => {
    press = undefined;
    ahead?.opened?.close();
    ahead = undefined;
    setState(idle, true);
  };
  const take = (made: DepositDriver): void => {
    if (isDisposed) {
      made.dispose();
      return;
    }
    driver = made;
    made.subscribe(() => setState(made.getState(), true));
    const waiting = press;
    press = undefined;
    if (waiting !== undefined) made.submit(waiting);
  };
  const load = (): Promise<void> => {
    loading ??= insistInTime(() => ports().load(openWindow), clock).then(take, (error: unknown) => {
      // The next press tries again.
      loading = undefined;
      console.warn('The deposit engine could not be loaded.', error);
      if (press === undefined) return;
      drop();
      ports().failed();
    });
    return loading;
  };

  return {
    getState,
    subscribe,
    prepare: () => void load(),
    submit(next) {
      if (driver !== undefined) return driver.submit(next);
      if (press !== undefined) return;
      if (!next.isValid) return ports().showErrors();
      press = next;
      // With a captcha the window opens at the last click of the captcha.
      if (next.opensWindow && !next.needsCaptcha) ahead = { opened: ports().openWindow() };
      setState({ at: 'starting' }, true);
      void load();
    },
    cancel() {
      if (driver !== undefined) driver.cancel();
      else if (press !== undefined) drop();
    },
    close() {
      if (driver !== undefined) driver.close();
      // Nothing is being created yet, so nobody hears of it (DEP-9).
      else if (press !== undefined) drop();
    },
    dispose() {
      isDisposed = true;
      if (driver !== undefined) driver.dispose();
      else if (press !== undefined) drop();
    },
  };
}
