/**
 * A kept-alive HTTP connection that does as little as it can. Client and cashier share the processor, so a costly client would
 * measure itself. It reads answers with a `content-length` only, and one at a time.
 */
import { connect } from 'node:net';

/**
 * @typedef {{ path: string, headers: Record<string, string>, body: string }} Call a POST, or a GET when the body is empty
 * @typedef {{ status: number, bytes: number }} Answer
 */

/** The bytes of a request, made before the time is taken. @param {string} host @param {Call} call */
export function requestBytes(host, { path, headers, body }) {
  const lines = Object.entries({ host, ...headers, ...(body !== '' && { 'content-length': Buffer.byteLength(body) }) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${body === '' ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
}

/**
 * A line connects for its first request, and again after the server has closed it.
 * @param {string} url the origin of the server
 */
export function openLine(url) {
  const { hostname, port } = new URL(url);
  let socket;
  let waiting;
  let seen = Buffer.alloc(0);
  let left = -1;
  let status = 0;
  let bytes = 0;

  const settle = (failure) => {
    const { resolve, reject } = waiting ?? {};
    waiting = undefined;
    seen = Buffer.alloc(0);
    left = -1;
    if (failure) reject?.(failure);
    else resolve?.({ status, bytes });
  };
  const read = (chunk) => {
    if (left < 0) {
      seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
      const end = seen.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = seen.latin1Slice(0, end).toLowerCase();
      const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
      if (length === undefined) return socket.destroy(new Error(`An answer without content-length: ${head}`));
      status = Number(head.slice(9, 12));
      bytes = Number(length);
      left = bytes - (seen.length - end - 4);
    } else {
      left -= chunk.length;
    }
    if (left <= 0) settle();
  };
  const open = () => {
    const fresh = connect({ host: hostname, port: Number(port), noDelay: true });
    let failure = new Error('The server closed the connection.');
    fresh.on('data', read);
    fresh.on('error', (error) => {
      failure = error;
    });
    fresh.on('close', () => {
      if (socket === fresh) socket = undefined;
      settle(failure);
    });
    socket = fresh;
  };

  return {
    /** @param {Buffer} request @returns {Promise<Answer>} rejects when the connection fails or is closed */
    send(request) {
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        if (socket === undefined) open();
        socket.write(request);
      });
    },
    close() {
      socket?.destroy();
    },
  };
}
