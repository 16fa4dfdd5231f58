import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

/** A program that runs, and whose probe answers 503. */
async function withSickService(
  use: (service: Parameters<typeof waitUntilHealthy>[0], origin: string) => Promise<void>,
) {
  const server = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const service = { ...(await endedService()), isRunning: () => true };
    await use(service, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
}

test('a program that does not become healthy shows the last answer and the last lines of its log', async () => {
  await withSickService(async (service, sick) => {
    await expect(waitUntilHealthy(service, sick, ['/ready'], 0)).rejects.toThrow(
      /did not become healthy at .* within 0 s \(\/ready answered 503\)\. The last lines of its log.*:\n {2}.*opening the database/,
    );
  });
  const silent = { ...(await endedService()), isRunning: () => true };
  await expect(waitUntilHealthy(silent, origin, ['/ready'], 0)).rejects.toThrow(/within 0 s \(no answer\)/);
});

test('a wait that goes on says each time that it takes long, until the program ends', async () => {
  await withSickService(async (service, sick) => {
    const said: string[] = [];
    const ending = { ...service, isRunning: () => said.length < 2 };
    const waiting = waitUntilHealthy(ending, sick, ['/ready'], 0, ({ message }) => said.push(message));
    await expect(waiting).rejects.toThrow(/ended while starting/);
    expect(said).toHaveLength(2);
    expect(said[1]).toContain('/ready answered 503');
  });
});
