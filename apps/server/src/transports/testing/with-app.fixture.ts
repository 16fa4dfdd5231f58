/** A whole server for the tests of a file. */
import { afterAll, beforeAll, expect } from 'vitest';
import { auditLedger } from '../../ledger/ledger-audit.ts';
import { type RunningApp, startApp } from './running-app.ts';

/**
 * Starts one server for all tests of a file. At the end it audits the ledger.
 * @param take gets the server, before the file's own `beforeAll`
 * @param environment settings besides those of a sandbox with one operator
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
