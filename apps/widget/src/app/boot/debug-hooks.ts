/** Console hooks for an operator's engineers (HOST-10). Only where the operator's settings allow debugging. */
import type { SessionMemory } from '../session/session-storage.ts';

export interface DebugPage {
  /** Where `cashier` appears. */
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
      // Ends with the browser's session, is never read back as a credential and never leaves this path.
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
