/**
 * The widget's side of the protocol as a state machine; the protocol and its diagram are in `contract/host/messages.ts`.
 * Each message is checked in this order: source and origin (by the inlet that received it), pin, rate, shape.
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
import { createFloodReport, reportDefaulted, reportSkippedBonuses } from './channel-reports.ts';
import { type HostUser, hostUserOf, isSameUser } from './host-user.ts';
import type { Outlet } from './outlet.ts';
import { type Deliver, type DropReason, isSameSender, type Sender } from './sender.ts';
import { propertyMissing } from './window-property.ts';

/** When `Loaded` is repeated, and when the wait for the host ends, in ms after the start. */
export const loadedRepeatsMs = [1000, 3000, 7000] as const;
export const hostSilenceMs = 10_000;

export const incorrectData = 'Incorrect data from host';
export const hostSilent = 'The host did not answer';

/** How many messages were accepted, and how many were dropped by reason. */
export interface ChannelCounters {
  source: number;
  origin: number;
  pin: number;
  rate: number;
  oversize: number;
  foreign: number;
  /** Dropped, because too many messages were waiting for `loaded`. */
  queue: number;
  accepted: number;
}

export interface ChannelEvents {
  /** The first valid `loaded`. */
  loaded(payload: HostPayload): void;
  /** A later `loaded` of the same user, of which only the token counts (HOST-11). */
  renewed(token: string | undefined): void;
  bonuses(list: Bonus[]): void;
  /** The host has changed its look (UI-9). */
  appearance(appearance: Appearance): void;
  /** The host closes the widget (HOST-4), perhaps before `loaded`. */
  close(): void;
  /** The widget cannot start; `init` has been posted. */
  failed(message: string): void;
}

/** The ways on which messages arrive. */
export interface Inlets {
  /** Listens to messages of windows. @returns stops listening */
  listen(deliver: Deliver, drop: (reason: DropReason) => void): Cancel;
  /** Polls the property of a web view; absent when a window shows the page (HOST-5). @returns stops polling */
  poll?(found: (payload: unknown) => void, missing: () => void): Cancel;
}

export interface HostChannel {
  readonly state: 'waiting' | 'pinned' | 'failed';
  readonly counters: Readonly<ChannelCounters>;
  start(): void;
  stop(): void;
  /**
   * Posts to the host. Before the host has answered, only messages about no person are sent: `Loaded` and a failed `init`.
   *
   * @returns whether a window or a bridge took the message; whether the host read it is not known
   */
  post(message: WidgetMessage): boolean;
  report(code: WidgetErrorCode, message: string): void;
}

export interface ChannelPorts {
  readonly outlet: Outlet;
  readonly inlets: Inlets;
  readonly clock: Clock;
  readonly events: ChannelEvents;
  /** Says `Loaded` once and waits for the answer without an end: the host has loaded this page beforehand. */
  readonly waitsForHost?: boolean;
}

/** A channel that has not started yet. `post` and `report` may be passed on by themselves. */
export function createHostChannel(ports: ChannelPorts): HostChannel {
  return new Channel(ports);
}

/** A message that waits for the first valid `loaded`. */
interface Queued {
  readonly message: ReadHostMessage;
  readonly sender: Sender;
}

class Channel implements HostChannel {
  state: HostChannel['state'] = 'waiting';
  readonly counters: ChannelCounters = {
    source: 0,
    origin: 0,
    pin: 0,
    rate: 0,
    oversize: 0,
    foreign: 0,
    queue: 0,
    accepted: 0,
  };
  readonly #outlet: Outlet;
  readonly #inlets: Inlets;
  readonly #clock: Clock;
  readonly #events: ChannelEvents;
  readonly #waitsForHost: boolean;
  readonly #isWithinRate: () => boolean;
  readonly #reportFlood: () => void;
  /** Who answered `Loaded`. From then on, messages of all others are dropped (HOST-7). */
  #pinned: Sender | undefined;
  #user: HostUser | undefined;
  readonly #queue: Queued[] = [];
  /** Timers that are cancelled when the wait for the host ends. */
  readonly #waiting: Cancel[] = [];
  #stopListening: Cancel = () => {};
  #stopPolling: Cancel = () => {};

  constructor({ outlet, inlets, clock, events, waitsForHost = false }: ChannelPorts) {
    this.#outlet = outlet;
    this.#inlets = inlets;
    this.#clock = clock;
    this.#events = events;
    this.#waitsForHost = waitsForHost;
    this.#isWithinRate = createRateLimit(clock);
    this.#reportFlood = createFloodReport(clock, (code, message) => this.report(code, message));
  }

  start(): void {
    this.#stopListening = this.#inlets.listen(
      (data, sender) => this.#deliver(data, sender),
      (reason) => {
        this.counters[reason] += 1;
      },
    );
    this.#postLoaded();
    if (this.#waitsForHost) return;
    for (const afterMs of loadedRepeatsMs) {
      this.#waiting.push(this.#clock.setTimer(() => this.#postLoaded(), afterMs));
    }
    if (this.#inlets.poll) this.#pollProperty(() => this.#fail(propertyMissing, 'incorrect-data-from-host'));
    else {
      const giveUp = (): void => this.#fail(hostSilent, 'incorrect-data-from-host');
      this.#waiting.push(this.#clock.setTimer(giveUp, hostSilenceMs));
    }
  }

  stop(): void {
    this.#endWaiting();
    this.#stopListening();
  }

  readonly post = (message: WidgetMessage): boolean => {
    const isAboutNobody =
      message.messageType === 'Loaded' || (message.messageType === 'init' && !message.payload.success);
    if (this.#pinned === undefined && !isAboutNobody) return false;
    const isTaken = this.#send(message, this.#pinned);
    // An app answers by setting the property again (HOST-11).
    if (message.messageType === 'token-expired' && this.#pinned?.kind === 'native') this.#pollProperty(() => {});
    return isTaken;
  };

  readonly report = (code: WidgetErrorCode, message: string): void => {
    this.post({ messageType: 'error', payload: { code, message } });
  };

  #postLoaded(): void {
    this.post({ messageType: 'Loaded', payload: { version: widgetVersion, protocol: protocolVersion } });
  }

  #send(message: WidgetMessage, to: Sender | undefined): boolean {
    try {
      return this.#outlet.send(message, to);
    } catch (error) {
      // Messages are hints (HOST-6), so a payment goes on when the bridge of an app fails.
      console.warn('Not posted to the host:', message.messageType, error);
      return false;
    }
  }

  #pollProperty(missing: () => void): void {
    this.#stopPolling();
    this.#stopPolling =
      this.#inlets.poll?.(
        (payload) => this.#deliver({ messageType: 'loaded', payload }, { kind: 'native' }),
        missing,
      ) ?? (() => {});
  }

  /** Checks the pin, the rate and the shape of a message from the right source and origin. */
  #deliver(data: unknown, sender: Sender): void {
    if (this.state === 'failed') return;
    if (this.#pinned && !isSameSender(this.#pinned, sender)) {
      this.counters.pin += 1;
      return;
    }
    if (!this.#isWithinRate()) {
      this.counters.rate += 1;
      this.#reportFlood();
      return;
    }
    this.#act(parseHostMessage(data), sender);
  }

  #act(message: ReadHostMessage, sender: Sender): void {
    switch (message.kind) {
      case 'foreign':
        this.counters.foreign += 1;
        return;
      case 'oversize':
        this.counters.oversize += 1;
        this.#reportFlood();
        return;
      case 'loaded':
        this.counters.accepted += 1;
        if (this.state === 'waiting') this.#firstLoaded(message, sender);
        else this.#laterLoaded(message.payload);
        return;
      case 'loaded-without-payload':
        this.counters.accepted += 1;
        if (this.state === 'waiting') this.#fail(incorrectData, 'incorrect-data-from-host', sender);
        else this.report('incorrect-data-from-host', incorrectData);
        return;
      case 'close':
        this.counters.accepted += 1;
        this.#events.close();
        return;
      case 'appearance-updated':
        this.counters.accepted += 1;
        // Before the widget has started there is nothing to change: the host's look comes with `loaded`.
        if (this.state === 'pinned') this.#events.appearance(message.appearance);
        return;
      default:
        if (this.state === 'waiting') this.#enqueue(message, sender);
        else {
          this.counters.accepted += 1;
          this.#actOnBonuses(message);
        }
    }
  }

  #firstLoaded({ payload, defaulted, skipped }: Extract<ReadHostMessage, { kind: 'loaded' }>, sender: Sender): void {
    this.#endWaiting();
    this.state = 'pinned';
    this.#pinned = sender;
    this.#user = hostUserOf(payload);
    reportDefaulted(this.report, defaulted);
    reportSkippedBonuses(this.report, skipped);
    this.#events.loaded(payload);
    for (const queued of this.#queue.splice(0)) {
      if (isSameSender(queued.sender, sender)) this.#act(queued.message, queued.sender);
    }
  }

  /** HOST-11: only the token of a later `loaded` counts, and only of the same user. */
  #laterLoaded(payload: HostPayload): void {
    if (this.#user && !isSameUser(this.#user, hostUserOf(payload))) {
      this.report(
        'other-user-refused',
        'A loaded message of another user was refused; reload the widget to change users.',
      );
      return;
    }
    const { userId, subject } = hostUserOf(payload);
    this.#user = { userId: this.#user?.userId ?? userId, subject: this.#user?.subject ?? subject };
    this.#events.renewed(payload.token);
  }

  #actOnBonuses(message: Extract<ReadHostMessage, { kind: 'bonus-list-fetched' | 'bonus-list-updated' }>): void {
    reportSkippedBonuses(this.report, message.skipped);
    if (message.kind === 'bonus-list-updated') this.#events.bonuses(message.bonusList);
    else if (!message.success)
      this.report('bonus-list-failed', 'The host could not fetch its bonuses; the list stays as it was.');
    else if (message.bonusList) this.#events.bonuses(message.bonusList);
  }

  #enqueue(message: ReadHostMessage, sender: Sender): void {
    if (this.#queue.length >= hostLimits.queued) this.counters.queue += 1;
    else this.#queue.push({ message, sender });
  }

  #endWaiting(): void {
    for (const cancel of this.#waiting.splice(0)) cancel();
    this.#stopPolling();
  }

  /** @param sender who sent a `loaded` that could not be used; undefined when nobody answered */
  #fail(message: string, code: WidgetErrorCode, sender?: Sender): void {
    this.#endWaiting();
    this.state = 'failed';
    this.#queue.length = 0;
    // The sender passed source and origin, so it is the host and may be told. Without a sender nobody is pinned.
    this.#pinned = sender;
    if (sender) this.report(code, message);
    this.#send({ messageType: 'init', payload: { success: false, error: message } }, sender);
    this.#events.failed(message);
  }
}

/** A window of one second that begins with its first message. */
function createRateLimit(clock: Clock): () => boolean {
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;
  return () => {
    const now = clock.now();
    // When the clock was set back, begin a new second. Else messages would be dropped until the clock catches up.
    if (now - since >= 1000 || now < since) {
      since = now;
      count = 0;
    }
    count += 1;
    return count <= hostLimits.messagesPerSecond;
  };
}
