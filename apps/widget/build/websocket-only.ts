import type { Plugin } from 'vite';

const stub = '\0engine-transport-stub';

/**
 * Leaves engine.io's other transports out of the build: the contract knows the web socket alone (NET-3), and naming it in
 * the options keeps polling and WebTransport in the file (3 kB brotli). A socket asked for one of them would fail at once.
 */
export function websocketOnly(): Plugin {
  return {
    name: 'websocket-only',
    enforce: 'pre',
    resolveId(id, importer) {
      const unused = /\/(?:polling-xhr(?:\.node)?|polling-fetch|webtransport)\.js$/.test(id);
      return unused && importer?.includes('/engine.io-client/') ? stub : null;
    },
    load(id) {
      return id === stub ? 'export const XHR = undefined, Fetch = undefined, WT = undefined;' : null;
    },
  };
}
