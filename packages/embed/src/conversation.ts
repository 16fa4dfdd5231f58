/** The exchange of messages with one frame: the token, the log, and the search for a fault. */

import { openChannel } from './channel.ts';
import type { Symptom } from './doctor.ts';
import type { Emitter } from './events.ts';
import { cashierAddress } from './frame.ts';
import type { HostMessage, HostPayloadInput } from './generated/host-types.ts';
import type { Settings } from './options.ts';
import type { Start } from './payments.ts';
import type { PageMessage } from './read-widget-message.ts';

/** How long `getToken` may take. */
const tokenMs = 15_000;
/** A token that has waited longer for `Loaded` is not used. */
const staleMs = 60_000;
/** A token that the widget refuses within this time was wrong from the start. */
const freshMs = 10_000;

export type PayloadOf<Type> = NonNullable<Extract<HostMessage, { messageType: Type }>['payload']>;

/** What the widget gets, and who hears of it. */
export interface ConversationContext {
  /** The payload may change while the cashier is open; all other options stay. */
  readonly settings: Settings;
  /** The payment to begin with. */
  readonly payment: { readonly start: Start } | undefined;
  readonly events: Emitter;
  /** Counts the messages that came from elsewhere or made no sense. */
  readonly counts: { dropped: number };
}

export interface Conversation {
  /** Whether the widget has got its first `loaded`. Before, it does not listen. */
  readonly isAnswered: boolean;
  /** Whether its first `loaded` was sent or is on its way. */
  readonly isGreeted: boolean;
  /** Asks for the token of the first answer, which can then be sent as soon as the widget listens. */
  askEarly(): void;
  /** Sends a message and logs it. Does nothing before the widget listens. */
  post<Type extends HostMessage['messageType']>(messageType: Type, payload: PayloadOf<Type>): void;
  /** Reads a message as if it had come just now. */
  receive(message: PageMessage): void;
  /** Sends `loaded`, the answer to `Loaded`. */
  answer(): Promise<void>;
  /** Sends `loaded` with another token, the answer to `token-expired` (HOST-11). */
  renewToken(): void;
  /** Reports the likely cause to the page's engineers. Many faults at the same time are examined once. */
  examine(symptom: Symptom, detail?: unknown): Promise<void>;
  /** From now on nothing is received, sent or reported. */
  end(): void;
}

export function openConversation(
  frame: HTMLIFrameElement,
  { settings, payment, events, counts }: ConversationContext,
  onMessage: (message: PageMessage) => void,
  onTokenFailed: () => void,
): Conversation {
  const { origin } = cashierAddress(settings);
  let channel: ReturnType<typeof openChannel> | undefined = openChannel(frame, origin, receive, () => {
    counts.dropped += 1;
  });
  let token: string | undefined;
  /** A request for a token that no answer has used yet. */
  let asked: Promise<string> | undefined;
  let askedAt = 0;
  /** When the widget got `loaded` the last time, in milliseconds; 0: never. */
  let answeredAt = 0;
  let isAnswering = false;
  let isExamining = false;

  function receive(message: PageMessage): void {
    events.emit('message', { direction: 'from-cashier', ...message });
    onMessage(message);
  }

  const post: Conversation['post'] = (messageType, payload) => {
    if (!answeredAt) return;
    channel?.post({ messageType, payload } as HostMessage);
    // A page may show or store what is logged, or send it elsewhere. The token must not be in it.
    const { token: _, ...logged } = payload as HostPayloadInput;
    events.emit('message', { direction: 'to-cashier', messageType, payload: logged });
  };

  /** Asks for a token, unless a fresh one is on its way or there. */
  function askForToken(): Promise<string> | undefined {
    const { getToken } = settings;
    if (getToken && !(asked && Date.now() - askedAt < staleMs)) {
      askedAt = Date.now();
      asked = withinPatience(getToken);
      // Who waits for the token reports its failure. If nobody waits yet, the next `Loaded` asks again.
      asked.catch(() => {
        asked = undefined;
      });
    }
    return asked;
  }

  /** One answer at a time, because the widget asks repeatedly. */
  async function answer(): Promise<void> {
    if (isAnswering) return;
    isAnswering = true;
    try {
      token = await askForToken();
      if (!channel) return;
      asked = undefined;
      answeredAt = Date.now();
      post('loaded', {
        ...settings.payload,
        ...(payment && { start: payment.start.start }),
        ...(token !== undefined && { token }),
      });
    } catch (error) {
      if (!channel) return;
      // Not repeated here: an unanswered widget says `Loaded` again by itself.
      events.emit('token-failed', { error });
      void examine('token-failed', error);
      onTokenFailed();
    }
    isAnswering = false;
  }

  function renewToken(): void {
    if (!answeredAt) return;
    // The widget refused a fresh token, so the next one will be refused, too.
    if (Date.now() - answeredAt < freshMs) void examine('token-refused');
    if (settings.getToken) void answer();
  }

  async function examine(symptom: Symptom, detail?: unknown): Promise<void> {
    if (!channel || isExamining) return;
    isExamining = true;
    const { diagnose } = await import('./doctor.ts');
    const found = await diagnose({ symptom, detail, options: settings, token: answeredAt ? (token ?? '') : undefined });
    if (!channel) return;
    isExamining = false;
    for (const problem of found) events.emit('problem', problem);
  }

  return {
    get isAnswered() {
      return answeredAt > 0;
    },
    get isGreeted() {
      return isAnswering || answeredAt > 0;
    },
    // A page that changes several options at once starts the cashier as often. Only the last start asks for a token.
    askEarly: () => queueMicrotask(() => channel && askForToken()),
    post,
    receive,
    answer,
    renewToken,
    examine,
    end() {
      channel?.close();
      channel = undefined;
    },
  };
}

/** @throws Error after 15 seconds, and what `getToken` throws */
async function withinPatience(getToken: () => string | Promise<string>): Promise<string> {
  // First, because a `getToken` that throws at once must leave no rejection that nobody handles.
  const token = getToken();
  const late = new Promise<never>((_, reject) => {
    // After a token has won the race, this rejection has no effect.
    setTimeout(reject, tokenMs, new Error('getToken did not answer in 15 s'));
  });
  return Promise.race([token, late]);
}
