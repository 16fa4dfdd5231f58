/** Console hooks for the operator's engineers (HOST-10). Loaded only when the operator's settings allow debugging. */
import type { SessionMemory } from '../session/session-storage.ts';

export interface DebugPage {
  /** The object that gets the property `cashier`. */
  readonly global: Record<string, unknown>;
  readonly document: { cookie: string };
  reload(): void;
}

/** Puts `cashier.forceLogging`, `cashier.setUser` and `cashier.setTransport` on the page; each reloads it. */
export function installDebugHooks(
  { global, document, reload }: DebugPage,
  memory: SessionMemory,
  basePath: string,
): void {
  global['cashier'] = {
    forceLogging(on: unknown): void {
      memory.setForceLogging(on === true || on === 1 || on === '1');
      reload();
    },
    setUser(user: unknown): void {
      const kept = memory.setUser(user);
      if (kept === undefined) {
        console.warn('cashier.setUser takes an object with id, currency, locale and platform.');
        return;
      }
      // The cookie ends with the browser's session, is sent only to this path and is never used as a credential.
      const value = encodeURIComponent(JSON.stringify(kept));
      document.cookie = `cashier_user=${value}; Path=${basePath}; SameSite=Strict; Secure`;
      reload();
    },
    setTransport(transport: unknown): void {
      if (transport !== 'socket' && transport !== 'http') {
        console.warn('cashier.setTransport takes socket or http.');
        return;
      }
      memory.setTransport(transport);
      reload();
    },
  };
}
