/** Puts the cashier into a page, answers it and passes on what it says. */
import type { HostMessage, HostPayloadInput } from '@opencashier/contract/host';
import { type Channel, openChannel } from './channel.ts';
import type { Symptom } from './doctor.ts';
import {
  type CashierCallbacks,
  type CashierEventName,
  type CashierListener,
  callbackEvents,
  createEmitter,
} from './events.ts';
import { cashierAddress, createFrame, type FrameOptions } from './frame.ts';
import { createModal } from './modal.ts';
import type { Begin, DepositOutcome, PaymentRequest, Start, WithdrawalOutcome } from './payments.ts';
import type { PageMessage } from './read-widget-message.ts';

/** Integer version of the protocol that this build speaks. */
const spokenProtocol = 1;
const patienceMs = 15_000;
const closingMs = 5_000;
const freshMs = 10_000;

type PayloadOf<Type> = NonNullable<Extract<HostMessage, { messageType: Type }>['payload']>;
type Bonuses = NonNullable<HostPayloadInput['bonusList']>;
type Appearance = NonNullable<HostPayloadInput['appearance']>;

export interface CashierOptions extends FrameOptions, CashierCallbacks {
  /** `inline` (default) fills `container` at once; `modal` waits for `open()`. */
  mode?: 'inline' | 'modal' | undefined;
  /** Element or selector that holds the inline frame. */
  container?: Element | string | undefined;
  /** Name of the modal's own close button; default `Close`. */
  closeLabel?: string | undefined;
  /**
   * Everything that the `loaded` message carries beside the token (HOST-2), but for what only an app can do. Copied when it is
   * given.
   */
  payload?: Omit<HostPayloadInput, 'token' | 'nativeActions'> | undefined;
  /** Asks the operator's backend for a user token. Called at the start and whenever the token has expired (HOST-11). */
  getToken?: (() => string | Promise<string>) | undefined;
}

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
  /** Asks the widget to close; it may have to cancel something first (HOST-4). */
  close(): void;
  /** Changes options. An open cashier starts again with them, and a payment that was asked for stays asked for. */
  update(change: Partial<Omit<CashierOptions, 'mode' | 'container' | keyof CashierCallbacks>>): void;
  /** Replaces the bonuses, now or with the next start (HOST-3). */
  updateBonuses(bonusList: Bonuses): void;
  /** Changes the look of an open cashier where it stands, and that of the next start (UI-9). */
  updateAppearance(appearance: Appearance): void;
  /** Tells how asking for bonuses went; a failure is only logged by the widget (HOST-3). */
  bonusesFetched(result: { success: boolean; bonusList?: Bonuses }): void;
  /** @returns how to stop listening */
  on<Name extends CashierEventName>(name: Name, listener: CashierListener<Name>): () => void;
  /** Removes everything at once, without asking. Nothing opens this handle again. */
  destroy(): void;
}

/**
 * Creates a cashier.
 *
 * Whatever it reports is a display hint. Credit a balance on the signed web-hook alone.
 *
 * @throws TypeError for an impossible address, partner or container; DataCloneError for a payload that cannot be sent
 */
export function createCashier(options: CashierOptions): Cashier {
  let settings = { ...options, payload: structuredClone(options.payload ?? {}) };
  cashierAddress(settings); // Refuse a wrong address now, not on the first click.
  const events = createEmitter();
  for (const [option, name] of Object.entries(callbackEvents)) {
    const listener = options[option as keyof CashierCallbacks];
    if (listener) events.on(name, listener as CashierListener<CashierEventName>);
  }

  let dropped = 0;
  let frame = createFrame(settings);
  let channel: Channel | undefined;
  let isAnswered = false;
  let isAnswering = false;
  let answeredAt = 0;
  let examined: Channel | undefined;
  let token: string | undefined;
  let isDestroyed = false;
  /** The start of the payment that was asked for, and the callback for when the cashier is gone. */
  let wanted: Partial<Start> = {};
  let onEnd: (() => void) | undefined;
  let ready: Promise<void>;
  let settle: [ready: () => void, failed: (error: unknown) => void];
  let patience: ReturnType<typeof setTimeout> | undefined;
  let closing: ReturnType<typeof setTimeout> | undefined;
  const modal = settings.mode === 'modal' ? createModal(settings, close, leave) : undefined;

  /** Every opening has its own promise. An unhandled rejection is silenced, because the page may not use it. */
  function renew(): void {
    ready = new Promise((...both) => {
      settle = both;
    });
    void Promise.allSettled([ready]);
  }
  renew();

  function open(): void {
    if (channel || isDestroyed) return;
    frame = createFrame({ ...settings, ...wanted });
    channel = openChannel(frame, cashierAddress(settings).origin, receive, () => {
      dropped += 1;
    });
    patience = setTimeout(() => {
      modal?.showExit(true);
      events.emit('timeout', { afterMs: patienceMs });
      fail('timeout');
    }, patienceMs);
    if (modal) modal.show(frame);
    else containerOf(settings).append(frame);
  }

  /** @param isStartingAgain the payment that was asked for continues in the next frame */
  function unmount(isStartingAgain = false): void {
    if (channel || isDestroyed) {
      settle[1](new Error('closed'));
      // A handle that is destroyed has no next time.
      if (!isDestroyed) renew();
    }
    channel?.close();
    channel = undefined;
    isAnswered = false;
    isAnswering = false;
    clearTimeout(patience);
    clearTimeout(closing);
    frame.remove();
    modal?.hide();
    if (isStartingAgain) return;
    wanted = {};
    // A payment that has ended ignores a second call.
    onEnd?.();
  }

  const begin: Begin = (start, ended) => {
    unmount();
    wanted = start;
    onEnd = ended;
    open();
    if (!channel) unmount();
    return leave;
  };

  const load = () => import('./payments.ts');
  let part: ReturnType<typeof load> | undefined;
  /** Payments start in the order of their calls, because a browser may finish two imports in any order. */
  const pay = async <Id extends 'depositId' | 'withdrawalId'>(id: Id, request: PaymentRequest = {}) => {
    part = part ? part.catch(load) : load();
    return (await part).pay(events, begin, { id, settings, request });
  };

  function fail(symptom: Symptom, detail: string = symptom): void {
    settle[1](new Error(detail));
    void examine(symptom, detail);
  }

  /** Reports the likely cause to the page's engineers. The diagnosis is loaded only now. */
  async function examine(symptom: Symptom, detail?: unknown): Promise<void> {
    const own = channel;
    // Many faults of one opening are examined once.
    if (examined === own) return;
    examined = own;
    const { diagnose } = await import('./doctor.ts');
    const found = await diagnose({ symptom, detail, options: settings, token: isAnswered ? (token ?? '') : undefined });
    if (own !== channel) return;
    examined = undefined;
    for (const problem of found) events.emit('problem', problem);
  }

  function close(): void {
    // A widget without a token has nothing to cancel, and may not listen.
    if (!isAnswered) {
      leave();
      return;
    }
    post('close', {});
    clearTimeout(closing);
    closing = setTimeout(() => modal?.showExit(true), closingMs);
  }

  /** Takes the cashier away without waiting for the widget. */
  function leave(): void {
    if (!channel) return;
    unmount();
    events.emit('close', {});
  }

  /** Before `loaded` the widget does not listen. */
  function post<Type extends HostMessage['messageType']>(messageType: Type, payload: PayloadOf<Type>): void {
    if (!isAnswered) return;
    channel?.post({ messageType, payload } as HostMessage);
    // What is logged is shown, stored and sent elsewhere; the token must not be.
    const { token: _, ...logged } = payload as HostPayloadInput;
    events.emit('message', { direction: 'to-cashier', messageType, payload: logged });
  }

  /** Sends `loaded`: the answer to `Loaded` and to `token-expired`. One at a time, since the widget asks repeatedly. */
  async function answer(): Promise<void> {
    const asked = channel;
    if (isAnswering) return;
    isAnswering = true;
    try {
      token = settings.getToken && (await withinPatience(settings.getToken));
      // Closed or started again meanwhile: the new frame asks for its own token.
      if (asked !== channel) return;
      isAnswered = true;
      answeredAt = Date.now();
      post('loaded', {
        ...settings.payload,
        ...(wanted.start && { start: wanted.start }),
        ...(token !== undefined && { token }),
      });
    } catch (error) {
      // Not repeated here: an unanswered widget says `Loaded` again by itself.
      if (asked === channel) {
        events.emit('token-failed', { error });
        void examine('token-failed', error);
      }
    }
    if (asked === channel) isAnswering = false;
  }

  function receive({ messageType, payload }: PageMessage): void {
    events.emit('message', { direction: 'from-cashier', messageType, payload });
    switch (messageType) {
      case 'Loaded':
        clearTimeout(patience);
        if (payload.protocol > spokenProtocol) {
          events.emit('error', { code: 'unsupported-version', message: `protocol ${payload.protocol}` });
          return;
        }
        if (modal && !isAnswered && !isAnswering) {
          modal.showExit(false);
          frame.focus();
        }
        void answer();
        break;
      case 'token-expired':
        // The widget refused a fresh token, so the next one will be refused, too.
        if (Date.now() - answeredAt < freshMs) void examine('token-refused');
        if (settings.getToken && isAnswered) void answer();
        break;
      case 'init':
        if (payload.success) settle[0]();
        else fail('start-failed', payload.error);
        break;
      case 'error':
        if (/token|user/.test(payload.code)) void examine('reported', payload.message);
        break;
      case 'resize':
        if (settings.autoHeight && !modal) frame.style.height = `${Math.ceil(payload.height)}px`;
        break;
      case 'close':
        leave();
        return;
    }
    events.emit(messageType, payload as never);
  }

  if (!modal) open();

  return {
    get element() {
      return modal?.element ?? frame;
    },
    get dropped() {
      return dropped;
    },
    get isOpen() {
      return channel !== undefined;
    },
    get ready() {
      return ready;
    },
    deposit: (request) => pay('depositId', request),
    withdraw: (request) => pay('withdrawalId', request),
    open,
    close,
    update(change) {
      const next = { ...settings, ...change, payload: structuredClone(change.payload ?? settings.payload) };
      cashierAddress(next);
      settings = next;
      if (!channel) return;
      unmount(true);
      open();
    },
    updateBonuses(bonusList) {
      settings.payload = { ...settings.payload, bonusList: structuredClone(bonusList) };
      post('bonus-list-updated', { bonusList });
    },
    updateAppearance(appearance) {
      settings.payload = { ...settings.payload, appearance };
      post('appearance-updated', appearance);
    },
    bonusesFetched(result) {
      post('bonus-list-fetched', result);
      if (result.success && result.bonusList) settings.payload = { ...settings.payload, bonusList: result.bonusList };
    },
    on: events.on,
    destroy() {
      isDestroyed = true;
      unmount();
    },
  };
}

function containerOf({ container }: CashierOptions): Element {
  const element = typeof container === 'string' ? document.querySelector(container) : container;
  if (!element) throw new TypeError('container is missing');
  return element;
}

function withinPatience(getToken: () => string | Promise<string>): Promise<string> {
  const late = new Promise<never>((_, reject) => {
    // After a token has won the race, this rejection has no effect.
    setTimeout(reject, patienceMs, new Error('getToken: timeout'));
  });
  return Promise.race([getToken(), late]);
}
