/** Checks and finds TCP ports. */
import { createServer } from 'node:net';

/** Whether another program listens on the port. A port with another problem fails later, when it is used. */
export function isTaken(port, host) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => resolve(error.code === 'EADDRINUSE'));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(false)));
  });
}

/** A free port on the loopback interface. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/**
 * Reads a port from the environment.
 *
 * @throws when the variable does not hold a port
 */
export function portFromEnvironment(name, fallback) {
  const text = process.env[name] ?? String(fallback);
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
    throw new Error(`${name} must be a port from 1 to 65535, not "${text}".`);
  return port;
}
