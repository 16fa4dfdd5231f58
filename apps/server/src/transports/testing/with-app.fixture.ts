/** What tests of a whole server begin with. */
import { afterAll, beforeAll, expect } from 'vitest';
import { auditLedger } from '../../ledger/ledger-audit.ts';
import { type RunningApp, startApp } from './running-app.ts';

/**
 * One server for all tests of a file. At the end its books must be sound.
 * @param take hands it to the file, before its own `beforeAll`
 * @param environment settings beside those of a sandbox with one operator
 */
export function withApp(take: (running: RunningApp) => void, environment?: Record<string, string>): void {
  let running: RunningApp | undefined;
  beforeAll(async () => {
    running = await startApp(environment);
    take(running);
  });
  afterAll(async () => {
    if (running === undefined) return;
    expect((await auditLedger(running.database)).isSound).toBe(true);
    await running.stop();
  });
}
