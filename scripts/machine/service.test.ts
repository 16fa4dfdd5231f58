import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startService, waitUntilHealthy } from './service.mjs';

const folder = mkdtempSync(join(tmpdir(), 'service-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that writes one line of a log and ends. */
async function endedService() {
  const program = join(folder, 'program.mjs');
  writeFileSync(program, `console.log(JSON.stringify({ level: 30, msg: 'opening the database' }));`);
  const service = startService({ name: 'cashier', args: [program], env: {} });
  await service.closed;
  return service;
}

const origin = 'http://127.0.0.1:9';

test('a program that ends while starting shows the last lines of its log', async () => {
  const service = await endedService();
  await expect(waitUntilHealthy(service, origin, ['/ready'], 60_000)).rejects.toThrow(
    /The cashier ended while starting\. The last lines of its log.*:\n {2}.*opening the database/,
  );
});

test('a program that does not become healthy shows the last lines of its log', async () => {
  // As a program that runs and never answers. The time is over at once.
  const service = { ...(await endedService()), isRunning: () => true };
  await expect(waitUntilHealthy(service, origin, ['/ready'], 0)).rejects.toThrow(
    /did not become healthy at http:\/\/127\.0\.0\.1:9 within 0 s \(no answer\)\. The last lines of its log.*:\n {2}.*opening the database/,
  );
});
