/** Puts the cashier into a page: the handle that the page gets, and how one opening follows another. */
import {
  type CashierCallbacks,
  type CashierEventName,
  type CashierListener,
  callbackEvents,
  createEmitter,
  type Emitter,
} from './events.ts';
import { createFrame } from './frame.ts';
import { loadPayments } from './load-payments.ts';
import { createModal } from './modal.ts';
import { type AskedPayment, createOpening, type Opening } from './opening.ts';
import { type CashierOptions, copySettings } from './options.ts';
import {
  type Appearance,
  type Bonuses,
  type BonusesResult,
  type ChangePayload,
  payloadUpdates,
} from './payload-updates.ts';
import type { DepositOutcome, PaymentRequest, Start, WithdrawalOutcome } from './payments.ts';
import { createPreloader } from './preloaded.ts';
import { createReady } from './ready.ts';

export interface Cashier {
  /** The iframe, or the dialog of a modal. */
  readonly element: HTMLElement;
  /** Messages that came from elsewhere or made no sense. */
  readonly dropped: number;
  readonly isOpen: boolean;
  /**
   * Resolves when the first screen can be used. Rejects with an Error when the cashier could not start or is closed before; the
   * next opening has a promise of its own.
   */
  readonly ready: Promise<void>;
  /** Opens the cashier for a deposit. Resolves with how it ended, a display hint; rejects only for an impossible request. */
  deposit(request?: PaymentRequest): Promise<DepositOutcome>;
  /** Opens the cashier for a withdrawal, in the same way. */
  withdraw(request?: PaymentRequest): Promise<WithdrawalOutcome>;
  open(): void;
  /**
   * Loads the closed cashier, hidden, so that the next opening shows it at once. Asks for no token and emits no event. What is not
   * opened within ten minutes is removed.
   */
  preload(): void;
  /** Asks the widget to close; it may have to cancel something first (HOST-4). */
  close(): void;
  /** Changes options. An open cashier starts again with them, and a payment that was asked for stays asked for. */
  update(change: Partial<Omit<CashierOptions, 'mode' | 'container' | keyof CashierCallbacks>>): void;
  /** Replaces the bonuses, now or with the next start (HOST-3). */
  updateBonuses(bonusList: Bonuses): void;
  /** Changes the look of an open cashier where it stands, and that of the next start (UI-9). */
  updateAppearance(appearance: Appearance): void;
  /** Tells how asking for bonuses went; a failure is only logged by the widget (HOST-3). */
  bonusesFetched(result: BonusesResult): void;
  /** @returns how to stop listening */
  on<Name extends CashierEventName>(name: Name, listener: CashierListener<Name>): () => void;
  /** Removes everything at once, without asking. Nothing opens this handle again. */
  destroy(): void;
}

/**
 * Creates a cashier.
 *
 * Whatever it reports is a display hint. Credit a balance on the signed webhook alone.
 *
 * @throws TypeError for an impossible address, partner or container; DataCloneError for a payload that cannot be sent
 */
export function createCashier(options: CashierOptions): Cashier {
  let settings = copySettings(options);
  /** Of this opening, or of the next one while the cashier is closed. */
  let ready = createReady();
  let isDestroyed = false;
  /** Undefined while the cashier is closed. */
  let opening: Opening | undefined;
  /** The frame of the latest opening, also after its end. */
  let frame = createFrame(settings);
  const counts = { dropped: 0 };
  const events = createEvents(options);
  const close = () => opening?.askToClose();
  const modal = options.mode === 'modal' ? createModal(settings, close, leave) : undefined;
  const preloader = createPreloader(modal);

  function open(payment?: AskedPayment): void {
    if (opening || isDestroyed) return;
    const preloaded = preloader.take({ ...settings, ...payment?.start });
    opening = createOpening({ settings, payment, events, modal, preloaded, ready, leave, counts });
    frame = opening.frame;
    opening.show();
  }

  /** Ends the opening. @returns its payment, which the caller ends or begins again */
  function end(): AskedPayment | undefined {
    const ended = opening;
    if (!ended) return undefined;
    opening = undefined;
    ready = createReady();
    ended.end();
    return ended.payment;
  }

  /** Takes the cashier away without waiting for the widget. */
  function leave(): void {
    if (!opening) return;
    end()?.onEnd();
    events.emit('close', {});
  }

  /** Starts the cashier again for a payment. @returns how to take it away */
  function begin(start: Start, onEnd: () => void): () => void {
    end()?.onEnd();
    open({ start, onEnd });
    // A destroyed cashier does not open.
    if (!opening) onEnd();
    return leave;
  }

  const changePayload: ChangePayload = (change, messageType, message) => {
    settings.payload = { ...settings.payload, ...change };
    opening?.post(messageType, message);
    preloader.renew(settings);
  };

  if (!modal) open();
  // No method uses `this`, so a page may take single functions out of the handle.
  return {
    get element() {
      return modal?.element ?? frame;
    },
    get dropped() {
      return counts.dropped;
    },
    get isOpen() {
      return !!opening;
    },
    get ready() {
      return ready.promise;
    },
    deposit: async (request = {}) => (await loadPayments()).pay(events, begin, { id: 'depositId', settings, request }),
    withdraw: async (request = {}) =>
      (await loadPayments()).pay(events, begin, { id: 'withdrawalId', settings, request }),
    open: () => open(),
    preload() {
      if (!opening && !isDestroyed) preloader.preload(settings);
    },
    close,
    update(change) {
      settings = copySettings({ ...settings, ...change, payload: change.payload ?? settings.payload });
      if (opening) open(end());
      preloader.renew(settings);
    },
    ...payloadUpdates(changePayload),
    on: events.on,
    destroy() {
      isDestroyed = true;
      preloader.end();
      end()?.onEnd();
      ready.reject(new Error('closed'));
    },
  };
}

/** Events with the listeners that the options name, such as `onClose`. */
function createEvents(options: CashierOptions): Emitter {
  const events = createEmitter();
  for (const [option, name] of Object.entries(callbackEvents)) {
    const listener = options[option as keyof CashierCallbacks];
    if (listener) events.on(name, listener as CashierListener<CashierEventName>);
  }
  return events;
}
