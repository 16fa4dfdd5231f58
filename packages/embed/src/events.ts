/** What the SDK tells the page, and the smallest emitter that can do it. */
import type { PageMessage } from './read-widget-message.ts';

type PayloadOf<Type extends PageMessage['messageType']> = Extract<PageMessage, { messageType: Type }>['payload'];

/** One line of the conversation, for a log. The user token is never in it. */
export interface LoggedMessage {
  readonly direction: 'from-cashier' | 'to-cashier';
  readonly messageType: string;
  readonly payload: unknown;
}

/** A fault of the page, the token or the settings; `code` is stable, `message` is one English sentence with the remedy. */
export interface CashierProblem {
  readonly code: string;
  readonly message: string;
}

/**
 * Events by name. The widget's own messages keep their names. All of them are display hints: credit a balance on the signed
 * webhook alone (HOST-15).
 */
export type CashierEvents = { [Type in PageMessage['messageType']]: PayloadOf<Type> } & {
  /** No `Loaded` came within 15 s: the cashier is away, or may not be framed by this page. */
  timeout: { afterMs: number };
  /** `getToken` failed or took longer than 15 s. */
  'token-failed': { error: unknown };
  /** What keeps the cashier from working in this page, in one sentence with the remedy. For engineers. */
  problem: CashierProblem;
  /** Every message that was sent, or received and understood. */
  message: LoggedMessage;
};

export type CashierEventName = keyof CashierEvents;
export type CashierListener<Name extends CashierEventName> = (detail: CashierEvents[Name]) => void;

/** Listeners as options of `createCashier`. */
export interface CashierCallbacks {
  onInit?: CashierListener<'init'> | undefined;
  onClose?: CashierListener<'close'> | undefined;
  onTransaction?: CashierListener<'transaction'> | undefined;
  onError?: CashierListener<'error'> | undefined;
  onMetric?: CashierListener<'metric'> | undefined;
  onLocaleError?: CashierListener<'onLocaleError'> | undefined;
  onSupport?: CashierListener<'support'> | undefined;
  onResize?: CashierListener<'resize'> | undefined;
  onTimeout?: CashierListener<'timeout'> | undefined;
  onTokenExpired?: CashierListener<'token-expired'> | undefined;
  onTokenFailed?: CashierListener<'token-failed'> | undefined;
  onProblem?: CashierListener<'problem'> | undefined;
  onMessage?: CashierListener<'message'> | undefined;
}

const eventNames =
  'init close transaction error metric onLocaleError support resize timeout token-expired token-failed problem message'.split(
    ' ',
  ) as CashierEventName[];

/** Which option listens to which event: `token-expired` is heard by `onTokenExpired`. */
export const callbackEvents = Object.fromEntries(
  eventNames.map((name) => [`on${name.replace(/^(?:on)?.|-./g, (start) => start.slice(-1).toUpperCase())}`, name]),
) as Record<keyof CashierCallbacks, CashierEventName>;

export interface Emitter {
  on<Name extends CashierEventName>(name: Name, listener: CashierListener<Name>): () => void;
  emit<Name extends CashierEventName>(name: Name, detail: CashierEvents[Name]): void;
}

export function createEmitter(): Emitter {
  const listeners = new Map<string, Set<(detail: never) => void>>();
  return {
    on(name, listener) {
      const all = listeners.get(name) ?? new Set();
      listeners.set(name, all.add(listener));
      return () => void all.delete(listener);
    },
    emit(name, detail) {
      for (const listener of [...(listeners.get(name) ?? [])]) {
        try {
          listener(detail as never);
        } catch (error) {
          // The page's own mistake must reach its console, and must not stop a payment.
          reportError(error);
        }
      }
    },
  };
}
