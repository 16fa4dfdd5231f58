/**
 * The widget's side of the protocol as a state machine; the protocol and its diagram are in `contract/host/messages.ts`.
 * Messages are looked at in this order: source and origin (by the link that received them), pin, rate, shape.
 */
import type { Bonus } from '@opencashier/contract/api';
import {
  type Appearance,
  type HostPayload,
  hostLimits,
  parseHostMessage,
  protocolVersion,
  type ReadHostMessage,
  type WidgetErrorCode,
  type WidgetMessage,
  widgetVersion,
} from '@opencashier/contract/host';
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import { type HostUser, hostUserOf, isSameUser } from './host-user.ts';
import { namedPlaces } from './named-places.ts';
import type { Outlet } from './outlet.ts';
import { type Deliver, type DropReason, isSameSender, type Sender } from './sender.ts';
import { propertyMissing } from './window-property.ts';

/** When `Loaded` is repeated and when waiting ends, in ms after the start. */
export const loadedRepeatsMs = [1000, 3000, 7000] as const;
export const hostSilenceMs = 10_000;
const floodReportEveryMs = 60_000;

export const incorrectData = 'Incorrect data from host';
export const hostSilent = 'The host did not answer';

/** What was dropped, by reason, and what was accepted. Nothing here holds a message's content. */
export interface ChannelCounters {
  source: number;
  origin: number;
  pin: number;
  rate: number;
  oversize: number;
  foreign: number;
  /** Waited for `loaded` and found no room. */
  queue: number;
  accepted: number;
}

export interface ChannelEvents {
  /** The first good `loaded`. */
  loaded(payload: HostPayload): void;
  /** A later `loaded` of the same user: only its token counts (HOST-11). */
  renewed(token: string | undefined): void;
  bonuses(list: Bonus[]): void;
  /** The host has another look (UI-9). */
  appearance(appearance: Appearance): void;
  /** The host asked for the widget to go (HOST-4). May come at any time, also before `loaded`. */
  close(): void;
  /** The widget cannot start; `init` has been posted. */
  failed(message: string): void;
}

/** Where messages come from. */
export interface Inlets {
  /** Messages of windows; answers how to stop. */
  listen(deliver: Deliver, drop: (reason: DropReason) => void): Cancel;
  /** The web view's property, where the page is not framed (HOST-5); answers how to stop. */
  poll?(found: (payload: unknown) => void, missing: () => void): Cancel;
}

export interface HostChannel {
  readonly state: 'waiting' | 'pinned' | 'failed';
  readonly counters: Readonly<ChannelCounters>;
  start(): void;
  stop(): void;
  /**
   * Tells the host. Before it has answered only what names nobody is sent: `Loaded` and a failed `init`.
   *
   * @returns whether something took the message; what became of it nobody tells
   */
  post(message: WidgetMessage): boolean;
  report(code: WidgetErrorCode, message: string): void;
}

export function createHostChannel(ports: {
  outlet: Outlet;
  inlets: Inlets;
  clock: Clock;
  events: ChannelEvents;
}): HostChannel {
  const { outlet, inlets, clock, events } = ports;
  const counters: ChannelCounters = {
    source: 0,
    origin: 0,
    pin: 0,
    rate: 0,
    oversize: 0,
    foreign: 0,
    queue: 0,
    accepted: 0,
  };
  let state: HostChannel['state'] = 'waiting';
  let pinned: Sender | undefined;
  let user: HostUser | undefined;
  const queue: { message: ReadHostMessage; sender: Sender }[] = [];
  const waiting: Cancel[] = [];
  let stopListening: Cancel = () => {};
  let stopPolling: Cancel = () => {};
  const withinRate = createRateLimit(clock);
  let floodReportedAt = Number.NEGATIVE_INFINITY;

  const send = (message: WidgetMessage, to: Sender | undefined): boolean => {
    try {
      return outlet.send(message, to);
    } catch (error) {
      // A native bridge that has gone away must not take a payment down with it; messages are hints (HOST-6).
      console.warn('Not posted to the host:', message.messageType, error);
      return false;
    }
  };

  const post = (message: WidgetMessage): boolean => {
    const namesNobody =
      message.messageType === 'Loaded' || (message.messageType === 'init' && !message.payload.success);
    if (pinned === undefined && !namesNobody) return false;
    const isTaken = send(message, pinned);
    if (message.messageType === 'token-expired' && pinned?.kind === 'native') pollProperty(() => {});
    return isTaken;
  };

  const report = (code: WidgetErrorCode, message: string): void => {
    post({ messageType: 'error', payload: { code, message } });
  };

  const endWaiting = (): void => {
    for (const cancel of waiting.splice(0)) cancel();
    stopPolling();
  };

  const fail = (message: string, code: WidgetErrorCode, sender?: Sender): void => {
    endWaiting();
    state = 'failed';
    queue.length = 0;
    // It passed source and origin, so it is the host that may be told, and nobody else.
    pinned = sender;
    if (sender) report(code, message);
    send({ messageType: 'init', payload: { success: false, error: message } }, sender);
    events.failed(message);
  };

  const tellFlood = (): void => {
    if (clock.now() - floodReportedAt < floodReportEveryMs) return;
    floodReportedAt = clock.now();
    report('host-flood', 'Messages over the limit of size or rate were dropped.');
  };

  const reportSkipped = (skipped: readonly string[] | undefined): void => {
    if (skipped !== undefined) report('host-field-defaulted', `Bonuses were skipped: ${namedPlaces(skipped)}.`);
  };

  const firstLoaded = (
    { payload, defaulted, skipped }: Extract<ReadHostMessage, { kind: 'loaded' }>,
    sender: Sender,
  ): void => {
    endWaiting();
    state = 'pinned';
    pinned = sender;
    user = hostUserOf(payload);
    if (defaulted.length > 0) {
      report('host-field-defaulted', `Fields of a wrong type took their defaults: ${defaulted.join(', ')}.`);
    }
    reportSkipped(skipped);
    events.loaded(payload);
    for (const { message, sender: from } of queue.splice(0)) if (isSameSender(from, sender)) act(message, from);
  };

  const laterLoaded = (payload: HostPayload): void => {
    if (user && !isSameUser(user, hostUserOf(payload))) {
      report('other-user-refused', 'A loaded message of another user was refused; reload the widget to change users.');
      return;
    }
    const { userId, subject } = hostUserOf(payload);
    user = { userId: user?.userId ?? userId, subject: user?.subject ?? subject };
    events.renewed(payload.token);
  };

  const act = (message: ReadHostMessage, sender: Sender): void => {
    switch (message.kind) {
      case 'foreign':
        counters.foreign += 1;
        return;
      case 'oversize':
        counters.oversize += 1;
        tellFlood();
        return;
      case 'loaded':
        counters.accepted += 1;
        if (state === 'waiting') firstLoaded(message, sender);
        else laterLoaded(message.payload);
        return;
      case 'loaded-without-payload':
        counters.accepted += 1;
        if (state === 'waiting') fail(incorrectData, 'incorrect-data-from-host', sender);
        else report('incorrect-data-from-host', incorrectData);
        return;
      case 'close':
        counters.accepted += 1;
        events.close();
        return;
      case 'appearance-updated':
        counters.accepted += 1;
        // Before it has started the host has nothing to change: its look comes with `loaded`.
        if (state === 'pinned') events.appearance(message.appearance);
        return;
      default:
        if (state === 'waiting') enqueue(message, sender);
        else {
          counters.accepted += 1;
          actOnBonuses(message);
        }
    }
  };

  const actOnBonuses = (
    message: Extract<ReadHostMessage, { kind: 'bonus-list-fetched' | 'bonus-list-updated' }>,
  ): void => {
    reportSkipped(message.skipped);
    if (message.kind === 'bonus-list-updated') events.bonuses(message.bonusList);
    else if (!message.success)
      report('bonus-list-failed', 'The host could not fetch its bonuses; the list stays as it was.');
    else if (message.bonusList) events.bonuses(message.bonusList);
  };

  const enqueue = (message: ReadHostMessage, sender: Sender): void => {
    if (queue.length >= hostLimits.queued) counters.queue += 1;
    else queue.push({ message, sender });
  };

  const deliver: Deliver = (data, sender) => {
    if (state === 'failed') return;
    if (pinned && !isSameSender(pinned, sender)) {
      counters.pin += 1;
      return;
    }
    if (!withinRate()) {
      counters.rate += 1;
      tellFlood();
      return;
    }
    act(parseHostMessage(data), sender);
  };

  const pollProperty = (missing: () => void): void => {
    stopPolling();
    stopPolling =
      inlets.poll?.((payload) => deliver({ messageType: 'loaded', payload }, { kind: 'native' }), missing) ??
      (() => {});
  };

  return {
    get state() {
      return state;
    },
    counters,
    start() {
      stopListening = inlets.listen(deliver, (reason) => {
        counters[reason] += 1;
      });
      const sayLoaded = (): void => {
        post({ messageType: 'Loaded', payload: { version: widgetVersion, protocol: protocolVersion } });
      };
      sayLoaded();
      for (const afterMs of loadedRepeatsMs) waiting.push(clock.setTimer(sayLoaded, afterMs));
      if (inlets.poll) pollProperty(() => fail(propertyMissing, 'incorrect-data-from-host'));
      else waiting.push(clock.setTimer(() => fail(hostSilent, 'incorrect-data-from-host'), hostSilenceMs));
    },
    stop() {
      endWaiting();
      stopListening();
    },
    post,
    report,
  };
}

/** A window of one second that begins with its first message. */
function createRateLimit(clock: Clock): () => boolean {
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;
  return () => {
    const now = clock.now();
    // A clock that was set back begins a new second, or it would be full for as long as it was set back.
    if (now - since >= 1000 || now < since) {
      since = now;
      count = 0;
    }
    count += 1;
    return count <= hostLimits.messagesPerSecond;
  };
}
