/**
 * Socket.IO protocol 5 over Engine.IO protocol 4 on one web socket: connect with auth, events with acknowledgement, pushes,
 * heartbeat. The contract uses nothing else of Socket.IO (no rooms, no binary, no polling, no reconnection), and the library
 * would be an eighth of all code until the first screen. The contract suite (client.test.ts) runs it against the real server.
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
  /** The connection is gone, for whatever reason, also before `connected`. Comes once, also after `close`. */
  dropped(reason: string): void;
}

export interface Wire {
  readonly isOpen: boolean;
  /** Sends an event; `answered` gets its acknowledgement, or never runs when the connection drops. */
  emit(event: string, body: unknown, answered: (acknowledgement: unknown) => void): void;
  close(): void;
}

/** Packet types: the first digit of a frame is Engine.IO's, the second, inside a message, Socket.IO's. */
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

  /** The server pings; one that has not done so for its interval and its patience is gone, though no close frame came. */
  const expectPing = (): void => {
    cancelSilence();
    if (silenceMs > 0) cancelSilence = clock.setTimer(() => drop('ping timeout'), silenceMs);
  };

  const receive = (frame: string): void => {
    switch (frame[0]) {
      case engine.open: {
        const { pingInterval, pingTimeout } = record(JSON.parse(frame.slice(1)));
        silenceMs = milliseconds(pingInterval) + milliseconds(pingTimeout);
        expectPing();
        socket.send(`${engine.message}${packet.connect}${JSON.stringify(auth)}`);
        return;
      }
      case engine.ping:
        socket.send(engine.pong);
        expectPing();
        return;
      case engine.message:
        receivePacket(frame.slice(1));
        return;
      case engine.close:
        drop('server closed');
    }
  };

  const receivePacket = (text: string): void => {
    switch (text[0]) {
      case packet.connect:
        isOpen = true;
        events.connected();
        return;
      case packet.connectError: {
        const { message, data } = record(JSON.parse(text.slice(1)));
        events.refused(String(message), data);
        drop('refused');
        return;
      }
      case packet.disconnect:
        drop('server disconnect');
        return;
      case packet.event: {
        // A server may ask for an acknowledgement by an id before the list; pushes of the contract want none.
        const [name, body] = list(text.slice(1).replace(/^\d+/, ''));
        if (typeof name === 'string') events.push(name, body);
        return;
      }
      case packet.acknowledgement: {
        const id = Number.parseInt(text.slice(1), 10);
        const answered = answers.get(id);
        answers.delete(id);
        answered?.(list(text.slice(1).replace(/^\d+/, ''))[0]);
      }
    }
  };

  socket.onmessage = ({ data }) => {
    if (isGone || typeof data !== 'string') return;
    try {
      receive(data);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      drop('parse error');
    }
  };
  socket.onclose = () => drop('transport close');
  socket.onerror = () => drop('Network connection failed');

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
