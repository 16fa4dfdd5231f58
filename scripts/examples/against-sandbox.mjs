/** Runs the examples beside a real cashier in its sandbox, with an embedded database that is deleted afterwards. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../machine/paths.mjs';
import { freePort } from '../machine/ports.mjs';
import { run } from '../machine/run.mjs';
import { startService, waitUntilHealthy } from '../machine/service.mjs';

const healthyWithinMs = 120_000;
const makeSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * Makes payments by the command `trigger` and reads the balance that the backend has booked.
 *
 * @returns {Promise<string>} what is wrong; empty: nothing
 */
export function backendAgainstSandbox() {
  return besideSandbox({}, depositAndRead);
}

/**
 * Starts a cashier in its sandbox and the example of a backend, and stops both after `action`.
 *
 * @param {{ pageUrl?: string, webhookUrl?: string }} site the origin of the page that shows the cashier, and the address of its
 *   webhooks if it receives them itself; the example of a backend is left out then
 * @param {(at: { cashierUrl: string, backendUrl: string, operatorKey: string, webhookSecret: string, folder: string }) => Promise<string>}
 *   action answers what is wrong. `folder` is deleted afterwards
 * @returns {Promise<string>} what is wrong; empty: nothing
 */
export async function besideSandbox({ pageUrl, webhookUrl }, action) {
  const folder = mkdtempSync(join(tmpdir(), 'opencashier-example-'));
  const [cashierPort, backendPort] = [await freePort(), await freePort()];
  const [cashierUrl, backendUrl] = [cashierPort, backendPort].map((port) => `http://127.0.0.1:${port}`);
  const [operatorKey, webhookSecret] = [`sk_test_${randomBytes(24).toString('hex')}`, makeSecret()];
  const services = [
    startService({
      name: 'cashier',
      args: [join(root, 'apps/server/dist/main.js')],
      env: {
        NODE_ENV: 'production',
        PORT: String(cashierPort),
        HOST: '127.0.0.1',
        DATA_DIR: folder,
        PUBLIC_URL: cashierUrl,
        LOG_LEVEL: 'error',
        SANDBOX: '1',
        DRAIN_SECONDS: '0',
        SEED_DEMO_OPERATOR_KEY: operatorKey,
        SEED_DEMO_WEBHOOK_SECRET: webhookSecret,
        SEED_DEMO_ORIGIN: pageUrl ?? backendUrl,
        SEED_DEMO_WEBHOOK_URL: webhookUrl ?? `${backendUrl}/webhooks/cashier`,
        SANDBOX_PROVIDER_SECRET: makeSecret(),
        TOKEN_SECRET: randomBytes(32).toString('hex'),
      },
    }),
  ];
  if (webhookUrl === undefined) {
    const bookFile = join(folder, 'book.jsonl');
    services.push(startBackend({ cashierUrl, port: backendPort, operatorKey, webhookSecret, bookFile }));
  }
  try {
    await waitUntilHealthy(services[0], cashierUrl, ['/ready'], healthyWithinMs);
    if (services.length > 1) await waitUntilHealthy(services[1], backendUrl, ['/api/balance'], healthyWithinMs);
    return await action({ cashierUrl, backendUrl, operatorKey, webhookSecret, folder });
  } finally {
    for (const service of services) service.kill();
    // The folder is free when both have ended.
    await Promise.all(services.map(({ closed }) => closed));
    rmSync(folder, { recursive: true, force: true });
  }
}

function startBackend({ cashierUrl, port, operatorKey, webhookSecret, bookFile }) {
  return startService({
    name: 'backend',
    args: [join(root, 'examples/backend/server.mjs')],
    env: {
      CASHIER_URL: cashierUrl,
      PARTNER: 'demo',
      OPERATOR_KEY: operatorKey,
      WEBHOOK_SECRETS: webhookSecret,
      BOOK_FILE: bookFile,
      PORT: String(port),
    },
  });
}

async function depositAndRead({ cashierUrl, backendUrl, operatorKey }) {
  for (const [type, balance] of [
    ['deposit.processed', '25.05'],
    ['deposit.declined', '25.05'],
    ['deposit.refunded', '25.05'],
    ['deposit.reversed', '25.05'],
    // Each withdrawal is paid for by a further deposit of 25.05.
    ['withdrawal.processed', '30.05'],
    ['withdrawal.declined', '55.10'],
  ]) {
    const program = join(root, 'packages/server/dist/cli/main.js');
    const env = { CASHIER_URL: cashierUrl, OPERATOR_KEY: operatorKey };
    const args = [program, 'trigger', type, '--user', 'u-1042'];
    const { ok, output } = await run(process.execPath, args, { env, timeoutMs: 3 * 60_000 });
    if (!ok) return `trigger ${type} failed:\n${output}`;
    const answer = await fetch(`${backendUrl}/api/balance`);
    if (!answer.ok) return `The backend answered ${answer.status}.`;
    const found = (await answer.json()).balance;
    if (found !== balance) return `After ${type} the backend's balance is ${found}, expected ${balance}.\n${output}`;
  }
  return '';
}
