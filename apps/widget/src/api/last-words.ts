import type { Transport } from './transport.ts';

/** The one call that is made because the page goes away (DEP-9). */
const farewell = 'session-form-on-close-modal';

/** A transport that says its farewell over another: a socket is closed with its page and delivers nothing, a request with `keepalive` does. */
export function withLastWords(transport: Transport, lasting: Pick<Transport, 'exchange'>): Transport {
  return {
    ...transport,
    exchange: (call, request, signal) => (call.name === farewell ? lasting : transport).exchange(call, request, signal),
  };
}
