/**
 * Socket.IO protocol 5 over Engine.IO protocol 4 on one web socket: connect with auth, events with acknowledgement, pushes,
 * heartbeat. The contract uses nothing else of Socket.IO (no rooms, no binary, no polling, no reconnection). The library would
 * be an eighth of all code until the first screen. The suite of the client (client.test.ts) runs against the real server.
 */
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import { readJson } from './read-json.ts';

/** The part of a WebSocket that is used. */
export interface WebSocketLike {
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface WireEvents {
  connected(): void;
  /** The server's middleware refused the handshake; `data` is what it said. */
  refused(message: string, data: unknown): void;
  push(name: string, body: unknown): void;
  /** The connection is closed, for any reason, perhaps before `connected`. Runs once, also after `close`. */
  dropped(reason: string): void;
}

export interface Wire {
  readonly isOpen: boolean;
  /** Sends an event; `answered` gets its acknowledgement, or never runs when the connection drops. */
  emit(event: string, body: unknown, answered: (acknowledgement: unknown) => void): void;
  close(): void;
}

/** Packet types. The first digit of a frame is Engine.IO's. The second digit of a message is Socket.IO's. */
const engine = { open: '0', close: '1', ping: '2', pong: '3', message: '4' } as const;
const packet = { connect: '0', disconnect: '1', event: '2', acknowledgement: '3', connectError: '4' } as const;

export interface WireOptions {
  readonly socket: WebSocketLike;
  readonly clock: Clock;
  readonly auth: Readonly<Record<string, unknown>>;
  readonly events: WireEvents;
}

export function openWire({ socket, clock, auth, events }: WireOptions): Wire {
  const answers = new Map<number, (acknowledgement: unknown) => void>();
  let lastId = -1;
  let isOpen = false;
  let isGone = false;
  let silenceMs = 0;
  let cancelSilence: Cancel = () => {};

  const drop = (reason: string): void => {
    if (isGone) return;
    isGone = true;
    isOpen = false;
    cancelSilence();
    answers.clear();
    socket.close();
    events.dropped(reason);
  };

  /** Drops the connection when no ping comes for the interval and the timeout of the handshake. */
  const expectPing = (): void => {
    cancelSilence();
    if (silenceMs > 0) cancelSilence = clock.setTimer(() => drop('ping timeout'), silenceMs);
  };

  const receive = (frame: Frame): void => {
    switch (frame.kind) {
      case 'open':
        silenceMs = frame.silenceMs;
        expectPing();
        socket.send(`${engine.message}${packet.connect}${JSON.stringify(auth)}`);
        return;
      case 'ping':
        socket.send(engine.pong);
        expectPing();
        return;
      case 'connected':
        isOpen = true;
        events.connected();
        return;
      case 'refused':
        events.refused(frame.message, frame.data);
        drop('refused');
        return;
      case 'event':
        if (typeof frame.name === 'string') events.push(frame.name, frame.body);
        return;
      case 'acknowledgement': {
        const answered = answers.get(frame.id);
        answers.delete(frame.id);
        answered?.(list(frame.json)[0]);
        return;
      }
      case 'closed':
        drop(frame.reason);
    }
  };

  attach(socket, receive, drop, () => isGone);
  return {
    get isOpen() {
      return isOpen;
    },
    emit(event, body, answered) {
      lastId += 1;
      answers.set(lastId, answered);
      socket.send(`${engine.message}${packet.event}${lastId}${JSON.stringify([event, body])}`);
    },
    close: () => drop('client disconnect'),
  };
}

/** Passes frames to `receive` until `isGone`. An unreadable frame drops the connection. */
function attach(
  socket: WebSocketLike,
  receive: (frame: Frame) => void,
  drop: (reason: string) => void,
  isGone: () => boolean,
): void {
  socket.onmessage = ({ data }) => {
    if (isGone() || typeof data !== 'string') return;
    try {
      const frame = readFrame(data);
      if (frame !== undefined) receive(frame);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      drop('parse error');
    }
  };
  socket.onclose = () => drop('transport close');
  socket.onerror = () => drop('Network connection failed');
}

/** A frame of the kinds that the contract uses. */
type Frame =
  | { readonly kind: 'open'; readonly silenceMs: number }
  | { readonly kind: 'ping' }
  | { readonly kind: 'connected' }
  | { readonly kind: 'refused'; readonly message: string; readonly data: unknown }
  | { readonly kind: 'event'; readonly name: unknown; readonly body: unknown }
  /** `json` is read only when a call waits for this id. */
  | { readonly kind: 'acknowledgement'; readonly id: number; readonly json: string }
  | { readonly kind: 'closed'; readonly reason: string };

/** @returns undefined for a frame that the contract does not use. @throws SyntaxError when the JSON is unreadable */
function readFrame(frame: string): Frame | undefined {
  switch (frame[0]) {
    case engine.open: {
      const { pingInterval, pingTimeout } = record(JSON.parse(frame.slice(1)));
      return { kind: 'open', silenceMs: milliseconds(pingInterval) + milliseconds(pingTimeout) };
    }
    case engine.ping:
      return { kind: 'ping' };
    case engine.message:
      return readPacket(frame.slice(1));
    case engine.close:
      return { kind: 'closed', reason: 'server closed' };
    default:
      return undefined;
  }
}

function readPacket(text: string): Frame | undefined {
  switch (text[0]) {
    case packet.connect:
      return { kind: 'connected' };
    case packet.connectError: {
      const { message, data } = record(JSON.parse(text.slice(1)));
      return { kind: 'refused', message: String(message), data };
    }
    case packet.disconnect:
      return { kind: 'closed', reason: 'server disconnect' };
    case packet.event: {
      // A server may request an acknowledgement by an id before the list. Pushes of the contract do not.
      const [name, body] = list(text.slice(1).replace(/^\d+/, ''));
      return { kind: 'event', name, body };
    }
    case packet.acknowledgement: {
      const json = text.slice(1).replace(/^\d+/, '');
      return { kind: 'acknowledgement', id: Number.parseInt(text.slice(1), 10), json };
    }
    default:
      return undefined;
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function list(json: string): unknown[] {
  const value = readJson(json);
  return Array.isArray(value) ? value : [];
}

function milliseconds(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
