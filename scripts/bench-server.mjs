/**
 * `npm run bench:server`: deposits created per second and how long each takes, beside a bare Fastify that runs the same insert,
 * in turns in one run, on the embedded database and on PostgreSQL. Absolute numbers are this machine's; the ratio travels.
 *
 * BENCH_SECONDS (default 5) and BENCH_ROUNDS (default 3) make it longer.
 */
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { load, median } from './bench/load.mjs';
import { build } from './build.mjs';
import { ensureInstalled } from './machine/install.mjs';
import { cache, root } from './machine/paths.mjs';
import { freePort } from './machine/ports.mjs';
import { ensurePostgres, startPostgres } from './machine/postgres.mjs';

const connections = 64;
const users = 200;
const durationMs = Number(process.env['BENCH_SECONDS'] ?? 5) * 1000;
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const operatorKey = `sk_bench_${randomBytes(24).toString('base64url')}`;

await ensureInstalled();
await build();
await buildBareServer();

const postgres = await startPostgres(await ensurePostgres(), { isDurable: true });
const rows = [];
try {
  rows.push(await compare('embedded', undefined));
  rows.push(await compare('PostgreSQL', postgres.url));
} finally {
  await postgres.stop();
}

const columns = ['database', 'server', 'deposits/s', 'p50 ms', 'p99 ms', 'failed'];
console.log(`\nDeposits created, ${connections} in flight, median of ${rounds} rounds of ${durationMs / 1000} s\n`);
console.log(`| ${columns.join(' | ')} |\n|${columns.map(() => '---').join('|')}|`);
for (const { database, cashier, bare } of rows) {
  for (const [name, result] of [
    ['cashier', cashier],
    ['bare Fastify, same insert', bare],
  ]) {
    const cells = [
      database,
      name,
      result.perSecond.toFixed(0),
      result.p50Ms.toFixed(1),
      result.p99Ms.toFixed(1),
      result.failed,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  const speed = cashier.perSecond / bare.perSecond;
  const tail = cashier.p99Ms / bare.p99Ms;
  console.log(
    `| ${database} | ratio | ${speed.toFixed(2)} | ${(cashier.p50Ms / bare.p50Ms).toFixed(1)} | ${tail.toFixed(1)} | |`,
  );
}
console.log(
  '\nThe cashier checks token, shape, limits and fields, writes the deposit with key and history, asks the practice provider\n' +
    '(which writes its own payment) and stores its answer: three commits. The bare server makes one.',
);

async function compare(database, serverUrl) {
  const folder = mkdtempSync(join(tmpdir(), 'opencashier-bench-'));
  const programs = [];
  try {
    const cashier = await start(join(root, 'apps/server/dist/main.js'), folder, 'cashier', serverUrl);
    programs.push(cashier);
    const bare = await start(join(cache, 'bench/bare-server.js'), folder, 'bare', serverUrl);
    programs.push(bare);
    const tokens = await mintTokens(cashier.url);
    const deposit = () => ({ amount: '25.00', currency: 'USD', depositId: randomUUID() });
    let turn = 0;
    const nextFor = {
      cashier: () => ({
        path: '/api/BANKING/deposit-create',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens[turn++ % users]}` },
        body: JSON.stringify({ ...deposit(), paymentType: 'card', selectedCountry: 'IN' }),
      }),
      bare: () => ({
        path: '/create',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...deposit(), paymentType: 'card' }),
      }),
    };
    const results = { cashier: [], bare: [] };
    for (let round = 0; round < rounds; round++) {
      for (const [name, url] of [
        ['cashier', cashier.url],
        ['bare', bare.url],
      ]) {
        const result = await load({ url, connections, durationMs, warmUpMs: 1000, next: nextFor[name] });
        if (result.perSecond === 0)
          throw new Error(`${name} answered no request well: ${JSON.stringify(result.statuses)}`);
        results[name].push(result);
      }
    }
    return { database, cashier: summary(results.cashier), bare: summary(results.bare) };
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

function summary(results) {
  return {
    perSecond: median(results.map((result) => result.perSecond)),
    p50Ms: median(results.map((result) => result.p50Ms)),
    p99Ms: median(results.map((result) => result.p99Ms)),
    failed: results.reduce((sum, result) => sum + result.failed, 0),
  };
}

async function mintTokens(url) {
  return Promise.all(
    Array.from({ length: users }, async (_, index) => {
      const answer = await fetch(`${url}/operator/v1/user-tokens`, {
        method: 'POST',
        headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ userId: `bench-${index}`, currency: 'USD', country: 'IN' }),
      });
      if (!answer.ok) throw new Error(`user-tokens answered ${answer.status}`);
      return (await answer.json()).token;
    }),
  );
}

async function start(file, folder, name, serverUrl) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const databaseUrl =
    serverUrl === undefined
      ? undefined
      : await (await import('./bench/create-database.mjs')).createDatabase(serverUrl, `bench_${name}`);
  const child = spawn(process.execPath, [file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: join(folder, name),
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      PUBLIC_URL: url,
      SANDBOX: '1',
      SANDBOX_PROVIDER_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
      RATE_LIMITS: '0',
      LOG_LEVEL: 'error',
      SEED_DEMO_OPERATOR_KEY: operatorKey,
      SEED_DEMO_ORIGIN: 'http://localhost:3001',
    },
  });
  const closed = once(child, 'close');
  for (let tries = 0; ; tries++) {
    if (child.exitCode !== null) throw new Error(`${name} ended while starting.`);
    const answer = await fetch(`${url}/ready`).catch(() => undefined);
    if (answer?.ok) break;
    if (tries > 300) throw new Error(`${name} did not start within 30 s.`);
    await pause(100);
  }
  return {
    url,
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM');
      await closed;
    },
  };
}

async function buildBareServer() {
  const vite = await import('vite');
  await vite.build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: [/^@opencashier\//] },
    build: {
      ssr: true,
      target: 'node20',
      outDir: join(cache, 'bench'),
      rolldownOptions: {
        input: {
          'bare-server': join(root, 'scripts/bench/bare-server.ts'),
          'embedded-worker': join(root, 'apps/server/src/database/embedded-worker.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js' },
      },
    },
  });
}
