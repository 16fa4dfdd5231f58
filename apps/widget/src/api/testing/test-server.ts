/** A small real server for both transports, so that one suite can check the client on each. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { parseExtraParams, socketPath } from '@opencashier/contract/api';
import { Server as SocketServer } from 'socket.io';

export interface Asked {
  readonly call: string;
  readonly request: unknown;
  readonly token: string | undefined;
  readonly context: Record<string, unknown>;
}

/** What the server does with a call. `drop`: it closes the connection without an answer. Over a socket it answers `after`. */
export type Reply =
  | { status: number; data?: unknown; error?: unknown; serverTime?: number; text?: string; after?: Promise<void> }
  | 'drop'
  | 'silence';

export interface TestServer {
  readonly origin: string;
  readonly asked: Asked[];
  /** Addresses of the socket handshakes so far. */
  readonly handshakes: { url: string; auth: Record<string, unknown> }[];
  reply: (asked: Asked) => Reply;
  /** When set, the handshake is refused with this error. */
  refuseHandshake: { message: string; data?: unknown } | undefined;
  push(name: string, body: unknown): void;
  /** Sends a frame of Socket.IO to every socket, as it is. */
  sendFrame(frame: string): void;
  /** Sends no more pings over the sockets that are open, and does not close them either. */
  stopHeartbeat(): void;
  dropSockets(): void;
  stop(): Promise<void>;
}

export async function startTestServer({ heartbeatMs = 25_000 } = {}): Promise<TestServer> {
  const http = createServer((request, response) => void answerHttp(request, response));
  const io = new SocketServer(http, {
    path: socketPath,
    transports: ['websocket'],
    serveClient: false,
    pingInterval: heartbeatMs,
    pingTimeout: heartbeatMs,
  });
  const open = new Set<Socket>();
  http.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });

  const server: TestServer = {
    origin: '',
    asked: [],
    handshakes: [],
    reply: () => ({ status: 200, data: {} }),
    refuseHandshake: undefined,
    push: (name, body) => void io.emit(name, body),
    sendFrame(frame) {
      for (const { conn } of io.of('/').sockets.values()) conn.write(frame);
    },
    stopHeartbeat() {
      for (const { conn } of io.of('/').sockets.values()) {
        conn.transport.send = () => {};
        Reflect.set(conn, 'resetPingTimeout', () => {});
      }
    },
    dropSockets: () => io.disconnectSockets(true),
    async stop() {
      for (const socket of open) socket.destroy();
      await io.close();
      await new Promise<void>((done) => (http.listening ? http.close(() => done()) : done()));
    },
  };

  async function answerHttp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://server');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const asked: Asked = {
      call: url.pathname.replace('/api/', '').replace('/', ':'),
      request: request.method === 'GET' ? Object.fromEntries(url.searchParams) : JSON.parse(body),
      token: request.headers.authorization?.replace('Bearer ', ''),
      context: parseExtraParams(request.headers['x-extra-params'] as string | undefined),
    };
    server.asked.push(asked);
    const reply = server.reply(asked);
    if (reply === 'silence') return;
    if (reply === 'drop') {
      request.socket.destroy();
      return;
    }
    if (reply.serverTime !== undefined) response.setHeader('x-server-time', String(reply.serverTime));
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(reply.text ?? JSON.stringify(reply.error === undefined ? (reply.data ?? {}) : { error: reply.error }));
  }

  io.use((socket, next) => {
    server.handshakes.push({ url: socket.request.url ?? '', auth: socket.handshake.auth });
    if (!server.refuseHandshake) return next();
    next(Object.assign(new Error(server.refuseHandshake.message), { data: server.refuseHandshake.data }));
  });
  io.on('connection', (socket) => {
    const { auth, query } = socket.handshake;
    socket.onAny((call: string, request: unknown, acknowledge: (answer: unknown) => void) => {
      const asked = { call, request, token: auth['token'] as string | undefined, context: query };
      server.asked.push(asked);
      const reply = server.reply(asked);
      if (reply === 'silence') return;
      if (reply === 'drop') socket.disconnect(true);
      else void Promise.resolve(reply.after).then(() => acknowledge(reply.text ?? reply));
    });
  });

  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  return Object.assign(server, { origin: `http://127.0.0.1:${portOf(http)}` });
}

function portOf(http: Server): number {
  return (http.address() as AddressInfo).port;
}
