/** Where the server listens, and under which addresses it is reached. */
import { createServer } from 'node:net';
import type { Config } from '../config/config.ts';

export interface Addresses {
  readonly port: number;
  /** From this machine. */
  readonly url: string;
  /** From browsers. */
  readonly publicUrl: string;
}

export async function addressesOf(config: Pick<Config, 'host' | 'port' | 'publicUrl'>): Promise<Addresses> {
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  return {
    port,
    url: `http://${reachableHost(config.host)}:${port}`,
    publicUrl: config.publicUrl ?? `http://localhost:${port}`,
  };
}

/** 0.0.0.0 and :: mean every address of this machine. A client cannot connect to them. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** A free port. Its number is needed before the server listens, since the server hands out addresses with it. */
function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
