/** Puts the cashier into a page, answers it and passes on what it says. */
import type { HostMessage, HostPayloadInput } from '@opencashier/contract/host';
import { type Channel, openChannel } from './channel.ts';
import {
  type CashierCallbacks,
  type CashierEventName,
  type CashierListener,
  callbackEvents,
  createEmitter,
} from './events.ts';
import { cashierAddress, createFrame, type FrameOptions } from './frame.ts';
import { createModal } from './modal.ts';
import type { PageMessage } from './read-widget-message.ts';

/** Integer version of the protocol that this build speaks. */
const spokenProtocol = 1;
const patienceMs = 15_000;
const closingMs = 5_000;

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
  open(): void;
  /** Asks the widget to close; it may have to cancel something first (HOST-4). */
  close(): void;
  /** Changes options. An open cashier starts again with them. */
  update(change: Partial<Omit<CashierOptions, 'mode' | 'container' | keyof CashierCallbacks>>): void;
  /** Replaces the bonuses, now or with the next start (HOST-3). */
  updateBonuses(bonusList: Bonuses): void;
  /** Changes the look of an open cashier where it stands, and that of the next start (UI-9). */
  updateAppearance(appearance: Appearance): void;
  /** Tells how asking for bonuses went; a failure is only logged by the widget (HOST-3). */
  bonusesFetched(result: { success: boolean; bonusList?: Bonuses }): void;
  /** @returns how to stop listening */
  on<Name extends CashierEventName>(name: Name, listener: CashierListener<Name>): () => void;
  /** Removes everything at once, without asking. The handle is of no use afterwards. */
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
  let patience: ReturnType<typeof setTimeout> | undefined;
  let closing: ReturnType<typeof setTimeout> | undefined;
  const modal = settings.mode === 'modal' ? createModal(settings, close, leave) : undefined;

  function open(): void {
    if (channel) return;
    frame = createFrame(settings);
    channel = openChannel(frame, cashierAddress(settings).origin, receive, () => {
      dropped += 1;
    });
    isAnswered = false;
    isAnswering = false;
    patience = setTimeout(() => {
      modal?.showExit(true);
      events.emit('timeout', { afterMs: patienceMs });
    }, patienceMs);
    if (modal) modal.show(frame);
    else containerOf(settings).append(frame);
  }

  function unmount(): void {
    channel?.close();
    channel = undefined;
    clearTimeout(patience);
    clearTimeout(closing);
    frame.remove();
    modal?.hide();
  }

  function close(): void {
    if (!channel) return;
    // A widget that has not been answered has nothing to lose, and might never hear us.
    if (!isAnswered) {
      leave();
      return;
    }
    post({ messageType: 'close', payload: {} });
    clearTimeout(closing);
    closing = setTimeout(() => modal?.showExit(true), closingMs);
  }

  /** The cashier is gone without the widget having said so. */
  function leave(): void {
    if (!channel) return;
    unmount();
    events.emit('close', {});
  }

  function post(message: HostMessage): void {
    channel?.post(message);
    // What is logged is shown, stored and sent elsewhere; the token must not be.
    const { token: _, ...payload } = { ...message.payload } as HostPayloadInput;
    events.emit('message', { direction: 'to-cashier', messageType: message.messageType, payload });
  }

  /** Sends `loaded`: the answer to `Loaded` and to `token-expired`. One at a time, since the widget asks repeatedly. */
  async function answer(): Promise<void> {
    const asked = channel;
    if (isAnswering) return;
    isAnswering = true;
    try {
      const token = settings.getToken && (await withinPatience(settings.getToken));
      // Closed or started again meanwhile: that one asks for itself.
      if (asked !== channel) return;
      post({ messageType: 'loaded', payload: { ...settings.payload, ...(token !== undefined && { token }) } });
      isAnswered = true;
    } catch (error) {
      // Not repeated here: an unanswered widget says `Loaded` again by itself.
      if (asked === channel) events.emit('token-failed', { error });
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
        if (settings.getToken && isAnswered) void answer();
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
    open,
    close,
    update(change) {
      const next = { ...settings, ...change, payload: structuredClone(change.payload ?? settings.payload) };
      cashierAddress(next);
      settings = next;
      if (!channel) return;
      unmount();
      open();
    },
    updateBonuses(bonusList) {
      settings.payload = { ...settings.payload, bonusList: structuredClone(bonusList) };
      // Before `loaded` there is nothing to update: the bonuses travel with it, so nothing is queued.
      if (isAnswered) post({ messageType: 'bonus-list-updated', payload: { bonusList } });
    },
    updateAppearance(appearance) {
      settings.payload = { ...settings.payload, appearance };
      if (isAnswered) post({ messageType: 'appearance-updated', payload: appearance });
    },
    bonusesFetched(result) {
      if (isAnswered) post({ messageType: 'bonus-list-fetched', payload: result });
      else if (result.success && result.bonusList)
        settings.payload = { ...settings.payload, bonusList: result.bonusList };
    },
    on: events.on,
    destroy: unmount,
  };
}

function containerOf({ container }: CashierOptions): Element {
  const element = typeof container === 'string' ? document.querySelector(container) : container;
  if (!element) throw new TypeError('container is missing');
  return element;
}

function withinPatience(getToken: () => string | Promise<string>): Promise<string> {
  const late = new Promise<never>((_, reject) => {
    // Who has lost the race is not heard any more.
    setTimeout(() => reject(new Error('getToken: timeout')), patienceMs);
  });
  return Promise.race([getToken(), late]);
}
