/**
 * `npm run bench:server`: measures the server on the embedded database and on PostgreSQL: open sockets, applied callbacks,
 * created deposits. A bare Fastify that runs the same insert is measured in turns with the creates. Absolute numbers depend on
 * this machine; compare the ratio. `docs/operate.md` explains the rows.
 *
 * BENCH_SECONDS (default 5) and BENCH_ROUNDS (default 3) make the creates longer. BENCH_SOCKETS (default 1000) is the number of
 * users with a socket. BENCH_DATABASES (default embedded,postgres) names the databases. BENCH_JSON names the file for the
 * numbers as JSON.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { bareCall, createCall, mintTokens, readMetrics } from './bench/cashier.mjs';
import { applyCallbacks, holdSockets } from './bench/live.mjs';
import { load, median } from './bench/load.mjs';
import { startServer } from './bench/server-process.mjs';
import { build } from './build.mjs';
import { ensureInstalled } from './machine/install.mjs';
import { cache, root } from './machine/paths.mjs';
import { ensurePostgres, startPostgres } from './machine/postgres.mjs';

const connections = 64;
const creators = 200;
const durationMs = Number(process.env['BENCH_SECONDS'] ?? 5) * 1000;
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const holders = Number(process.env['BENCH_SOCKETS'] ?? 1000);
const databases = (process.env['BENCH_DATABASES'] ?? 'embedded,postgres').split(',');
const jsonFile = resolve(process.env['BENCH_JSON'] ?? join(cache, 'bench/server.json'));
const operatorKey = `sk_bench_${randomBytes(24).toString('base64url')}`;
const providerSecret = `whsec_${randomBytes(32).toString('base64')}`;

await ensureInstalled();
await build();
await buildBareServer();

const results = [];
if (databases.includes('embedded')) results.push(await measure('embedded', undefined));
if (databases.includes('postgres')) {
  const postgres = await startPostgres(await ensurePostgres(), { isDurable: true });
  try {
    results.push(await measure('PostgreSQL', postgres.url));
  } finally {
    await postgres.stop();
  }
}

mkdirSync(dirname(jsonFile), { recursive: true });
writeFileSync(
  jsonFile,
  `${JSON.stringify({ node: process.version, connections, durationMs, rounds, results }, null, 2)}\n`,
);
report();
console.log(`\nAs JSON: ${jsonFile}`);

/** Everything about one database. The sockets come first: a process that has worked hard has already reserved their memory. */
async function measure(database, serverUrl) {
  const folder = mkdtempSync(join(tmpdir(), 'opencashier-bench-'));
  const programs = [];
  try {
    const { url, stop, rest } = await start(join(root, 'apps/server/dist/main.js'), folder, 'cashier', serverUrl);
    programs.push({ stop });
    const cashier = { url, operatorKey, providerSecret };
    const tokens = await mintTokens(cashier, holders);
    const { sockets, result: socketsHeld } = await holdSockets(cashier, { tokens, rest });
    const callbacks = await applyCallbacks(cashier, { tokens, sockets, width: connections });
    for (const socket of sockets) socket.disconnect();
    const bare = await start(join(cache, 'bench/bare-server.js'), folder, 'bare', serverUrl);
    programs.push(bare);
    return { database, sockets: socketsHeld, callbacks, ...(await measureCreates(cashier, bare.url)) };
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureCreates(cashier, bareUrl) {
  // New tokens, since a token expires after a quarter of an hour.
  const tokens = await mintTokens(cashier, creators);
  let turn = 0;
  const servers = {
    cashier: { url: cashier.url, next: () => createCall(tokens[turn++ % creators]) },
    bare: { url: bareUrl, next: bareCall },
  };
  const taken = { cashier: [], bare: [] };
  const delays = [];
  for (let round = 0; round < rounds; round++) {
    for (const [name, { url, next }] of Object.entries(servers)) {
      await readMetrics(cashier);
      const result = await load({ url, connections, durationMs, warmUpMs: 1000, next });
      if (result.perSecond === 0)
        throw new Error(`${name} answered no request well: ${JSON.stringify(result.statuses)}`);
      if (name === 'cashier') delays.push((await readMetrics(cashier)).loopDelayP99Ms);
      taken[name].push(result);
    }
  }
  return { creates: { ...summary(taken.cashier), loopDelayP99Ms: median(delays) }, bareInserts: summary(taken.bare) };
}

function summary(results) {
  return {
    perSecond: median(results.map((result) => result.perSecond)),
    p50Ms: median(results.map((result) => result.p50Ms)),
    p99Ms: median(results.map((result) => result.p99Ms)),
    failed: results.reduce((sum, result) => sum + result.failed, 0),
  };
}

function report() {
  const rows = results.flatMap(({ database, sockets, callbacks, creates, bareInserts }) => [
    [
      database,
      `sockets opened (${sockets.held} held)`,
      sockets.opensPerSecond,
      sockets.openP50Ms,
      sockets.openP99Ms,
      sockets,
    ],
    [database, 'callbacks taken', callbacks.answeredPerSecond, callbacks.answerP50Ms, callbacks.answerP99Ms, callbacks],
    [
      database,
      "callbacks applied, on the user's screen",
      callbacks.appliedPerSecond,
      callbacks.toldP50Ms,
      callbacks.toldP99Ms,
      {},
    ],
    [database, 'deposits created', creates.perSecond, creates.p50Ms, creates.p99Ms, creates],
    [database, 'bare Fastify, same insert', bareInserts.perSecond, bareInserts.p50Ms, bareInserts.p99Ms, {}],
  ]);
  const columns = ['database', 'what', 'per second', 'p50 ms', 'p99 ms', 'event loop late, p99 ms'];
  console.log(`\n${connections} in flight; creates: median of ${rounds} rounds of ${durationMs / 1000} s\n`);
  console.log(`| ${columns.join(' | ')} |\n|${columns.map(() => '---').join('|')}|`);
  for (const [name, what, perSecond, p50Ms, p99Ms, { loopDelayP99Ms }] of rows) {
    const late = loopDelayP99Ms === undefined ? '' : loopDelayP99Ms.toFixed(0);
    console.log(`| ${[name, what, perSecond.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1), late].join(' | ')} |`);
  }
  console.log('');
  for (const { database, sockets, callbacks, creates, bareInserts } of results) {
    const ratio = (value) => (value / bareInserts.perSecond).toFixed(2);
    console.log(
      `${database}: a create is ${ratio(creates.perSecond)} of the bare insert (p99 ${(creates.p99Ms / bareInserts.p99Ms).toFixed(1)} times its), ` +
        `an applied callback ${ratio(callbacks.appliedPerSecond)}; ${(sockets.heapBytesEach / 1024).toFixed(1)} kB of heap for each socket (the process grew by ${(sockets.bytesEach / 1024).toFixed(1)}); ` +
        `${creates.failed + callbacks.failed + bareInserts.failed} failed.`,
    );
  }
}

async function start(file, folder, name, serverUrl) {
  const databaseUrl =
    serverUrl === undefined
      ? undefined
      : await (await import('./bench/create-database.mjs')).createDatabase(serverUrl, `bench_${name}`);
  return startServer(file, { dataDir: join(folder, name), databaseUrl, operatorKey, providerSecret });
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
          'embedded-worker': join(root, 'apps/server/src/database/embedded/embedded-worker.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js' },
      },
    },
  });
}
