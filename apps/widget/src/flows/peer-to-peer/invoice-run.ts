/** Carries out the effects of the invoice's state machine (DEP-11): polls, cancels, reports "I have paid". It decides nothing. */
import { depositCancel, depositComplete } from '@opencashier/contract/api';
import { paidFaultOf } from '@opencashier/core/deposit/paid-fault';
import { createStore } from 'zustand/vanilla';
import { callFailureOf } from '../../kit/engine/call-failure.ts';
import { failureCode } from '../../kit/session/failure-code.ts';
import type { ReadableStore, Services } from '../../kit/session/services.tsx';
import { createStatusPoll } from '../../kit/status/status-poll.ts';
import { type InvoiceEffect, type InvoiceEvent, type InvoiceState, moveInvoice, openInvoice } from './model.ts';
import { hasPressedPaid, keepPressedPaid } from './pressed-paid.ts';

/** How often the widget asks the server about a peer-to-peer payment (§9). */
export const POLL_MS = 5000;

export interface InvoiceRun extends ReadableStore<InvoiceState> {
  cancel(): void;
  /** "I have paid". */
  tell(confirmationId: string | undefined): void;
  /** Asks at once, because something may have happened, such as the end of the time by this device's clock. */
  look(): void;
  stop(): void;
}

interface InvoiceOf {
  readonly depositId: string;
  readonly paymentMethod: string;
  /** The end of the time, in ms since the epoch. Only the server's clock decides that it has come. */
  readonly expiresAt: number;
}

export function createInvoiceRun(
  services: Pick<Services, 'api' | 'clock' | 'metric'>,
  { depositId, paymentMethod, expiresAt }: InvoiceOf,
  say: (effect: Exclude<InvoiceEffect['type'], 'cancel' | 'complete'>) => void,
): InvoiceRun {
  const { api } = services;
  const store = createStore(() => openInvoice);
  let isStopped = false;

  const dispatch = (event: InvoiceEvent): void => {
    if (isStopped) return;
    const { state, effects } = moveInvoice(store.getState(), event);
    store.setState(state, true);
    for (const effect of effects) carryOut(effect);
  };

  const carryOut = (effect: InvoiceEffect): void => {
    switch (effect.type) {
      case 'cancel':
        api.call(depositCancel, { depositId, paymentMethod }).then(
          ({ isCancelled, transaction }) => dispatch({ type: 'cancelled', isCancelled, report: transaction }),
          (error: unknown) => {
            note('cancel', error);
            // The server refused the cancel, so the deposit has changed. The status says how.
            poll.askNow();
            dispatch({ type: 'cancel-failed', isUnsent: callFailureOf(error).isUnsent === true });
          },
        );
        break;
      case 'complete':
        tellServer(effect.confirmationId);
        break;
      default:
        say(effect.type);
    }
  };

  const tellServer = (confirmationId: string | undefined): void => {
    const number = confirmationId === undefined ? {} : { confirmationId };
    api.call(depositComplete, { depositId, paymentMethod, ...number }).then(
      (report) => dispatch({ type: 'paid-answered', report }),
      (error: unknown) => {
        note('complete', error);
        poll.askNow();
        dispatch({ type: 'paid-failed', fault: paidFaultOf(callFailureOf(error)) });
      },
    );
  };

  const note = (what: string, error: unknown): void =>
    services.metric(`deposit.${what}-failed`, failureCode(error) ?? 'unexpected');

  const poll = createStatusPoll(services, depositId, paymentMethod, { delaysMs: [POLL_MS] });
  const stopListening = poll.subscribe(() => {
    const { report } = poll.getState();
    if (report === undefined) return;
    dispatch({ type: 'reported', report });
    if (Date.parse(report.serverTime) < expiresAt) return;
    dispatch({ type: 'expired', isPaidPressed: hasPressedPaid(depositId) });
  });

  return {
    getState: store.getState,
    subscribe: store.subscribe,
    cancel: () => dispatch({ type: 'cancel-pressed' }),
    tell(confirmationId) {
      keepPressedPaid(depositId);
      dispatch({ type: 'paid-pressed', confirmationId, isOffline: navigator.onLine === false });
    },
    look: poll.askNow,
    stop() {
      isStopped = true;
      stopListening();
      poll.stop();
    },
  };
}
