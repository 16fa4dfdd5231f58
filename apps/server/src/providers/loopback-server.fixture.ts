/** Stand-ins of companies and nodes listen on a free port of this machine. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** @returns the address of the server, without a slash at the end */
export async function openOnLoopback(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Closes the server with its open connections. */
export async function closeOnLoopback(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
