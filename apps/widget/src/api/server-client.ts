/** The client over the transports of a browser. Boot loads this file after the first list, as a chunk of its own. */
import type { ManagedClient } from './client.ts';
import { type ClientOptions, createClient } from './create-client.ts';
import { createHttpTransport, type HttpTransportOptions, withClosingCallOverHttp } from './http-transport.ts';
import { createSocketTransport } from './socket-transport.ts';

/** Makes the client. The socket connects with the first call. */
export function createServerClient(
  transport: 'socket' | 'http',
  address: Omit<HttpTransportOptions, 'fetch'>,
  options: Omit<ClientOptions, 'transport' | 'lasting' | 'clock'>,
): ManagedClient {
  const http = createHttpTransport(address);
  return createClient({
    ...options,
    clock: address.clock,
    transport: transport === 'http' ? http : withClosingCallOverHttp(createSocketTransport(address), http),
    lasting: http,
  });
}
