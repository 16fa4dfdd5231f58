/**
 * `npm run bench:server`: measures the server on the embedded database and on PostgreSQL. Bare servers that do the same with less
 * are measured in turns with it. Absolute numbers depend on this machine; compare the ratios. `docs/operate.md` explains the rows.
 *
 * BENCH_PARTS (default sockets,callbacks,creates,single,lists,idle) and BENCH_DATABASES (default embedded,postgres) choose what
 * runs. BENCH_SECONDS (default 5) and BENCH_ROUNDS (default 5) make it longer. BENCH_SOCKETS (default 1000) is the number of users
 * with a socket, BENCH_CALLBACKS (default 2000) the callbacks of a round, BENCH_IDLE_SOCKETS (default 10000) the idle sockets.
 * BENCH_LIST_DEPOSITS (default 0) are the deposits of each user who asks for a list.
 * BENCH_SERVER names another built server, and BENCH_JSON the file for the numbers as JSON.
 * BENCH_PROFILE is a folder for processor profiles of the cashier; the widest frames of each are printed.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { bareCall, mintTokens } from './bench/cashier.mjs';
import { createDatabase } from './bench/create-database.mjs';
import { measureIdleSockets } from './bench/idle-sockets.mjs';
import { applyCallbacks, holdSockets, medianOfCallbacks } from './bench/live.mjs';
import { ratiosOf, rowsOf } from './bench/report.mjs';
import { measureCreates, measureLists } from './bench/rounds.mjs';
import { benchSettings, startServer } from './bench/server-process.mjs';
import { linesOfProfiles } from './bench/widest-frames.mjs';
import { build } from './build.mjs';
import { ensureInstalled } from './machine/install.mjs';
import { cache, root } from './machine/paths.mjs';
import { ensurePostgres, startPostgres } from './machine/postgres.mjs';

const connections = 64;
const env = (name, fallback) => process.env[`BENCH_${name}`] ?? fallback;
const durationMs = Number(env('SECONDS', 5)) * 1000;
const rounds = Number(env('ROUNDS', 5));
const holders = Number(env('SOCKETS', 1000));
const callbacksARound = Number(env('CALLBACKS', 2000));
const depositsEach = Number(env('LIST_DEPOSITS', 0));
const idleSockets = Number(env('IDLE_SOCKETS', 10_000));
const parts = new Set(env('PARTS', 'sockets,callbacks,creates,single,lists,idle').split(','));
const databases = env('DATABASES', 'embedded,postgres').split(',');
const jsonFile = resolve(env('JSON', join(cache, 'bench/server.json')));
const operatorKey = `sk_bench_${randomBytes(24).toString('base64url')}`;
const providerSecret = `whsec_${randomBytes(32).toString('base64')}`;
const profileTo = process.env['BENCH_PROFILE'] && resolve(process.env['BENCH_PROFILE']);
const cashierFile = resolve(env('SERVER', join(root, 'apps/server/dist/main.js')));
const bareFile = join(cache, 'bench/bare-server.js');
const has = (...names) => names.some((name) => parts.has(name));

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
console.log(`\n${connections} in flight; medians of ${rounds} rounds, of creates of ${durationMs / 1000} s\n`);
console.log(rowsOf(results));
console.log('');
for (const result of results) for (const line of ratiosOf(result)) console.log(line);
if (profileTo) console.log(`\n${linesOfProfiles(profileTo).join('\n')}`);
console.log(`\nAs JSON: ${jsonFile}`);

/** Everything about one database. Sockets are weighed first: a process that has worked hard has already reserved their memory. */
async function measure(database, serverUrl) {
  const folder = mkdtempSync(join(tmpdir(), 'opencashier-bench-'));
  try {
    return {
      database,
      ...(has('sockets', 'callbacks') && (await measureLive(folder, serverUrl))),
      ...(has('creates', 'single', 'lists') && (await measureLoads(folder, serverUrl))),
      ...(has('idle') && { idle: await measureIdle(folder, serverUrl) }),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureLive(folder, serverUrl) {
  const server = await start(cashierFile, folder, 'live', serverUrl);
  try {
    const cashier = { url: server.url, operatorKey, providerSecret };
    const tokens = await mintTokens(cashier, holders);
    const { sockets, result } = await holdSockets(cashier, { tokens, rest: server.rest });
    const taken = [];
    for (let round = 0; has('callbacks') && round < rounds; round++) {
      taken.push(
        await applyCallbacks(cashier, {
          tokens,
          sockets,
          width: connections,
          callbacks: callbacksARound,
          processorMs: server.processorMs,
        }),
      );
    }
    for (const socket of sockets) socket.disconnect();
    return {
      ...(has('sockets') && { sockets: result }),
      ...(has('callbacks') && { callbacks: medianOfCallbacks(taken) }),
    };
  } finally {
    await server.stop();
  }
}

async function measureLoads(folder, serverUrl) {
  const programs = [await start(cashierFile, folder, 'cashier', serverUrl)];
  try {
    programs.push(await start(bareFile, folder, 'bare', serverUrl));
    const [{ url, processorMs }, { url: bareUrl, processorMs: bareProcessorMs }] = programs;
    const cashier = { url, operatorKey, providerSecret };
    const bare = { url: bareUrl, processorMs: bareProcessorMs };
    const options = { parts, connections, durationMs, rounds, processorMs };
    return {
      ...(has('creates', 'single') && (await measureCreates(cashier, bare, bareCall, options))),
      ...(has('lists') && (await measureLists(cashier, bare, { ...options, depositsEach }))),
    };
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
  }
}

async function measureIdle(folder, serverUrl) {
  const server = await start(cashierFile, folder, 'idle', serverUrl);
  try {
    const cashier = { url: server.url, operatorKey, providerSecret };
    return await measureIdleSockets(cashier, { count: idleSockets, rest: server.rest, restart: server.restart });
  } finally {
    await server.stop();
  }
}

async function start(file, folder, name, serverUrl) {
  return startServer({
    file,
    dataDir: join(folder, name),
    databaseUrl: serverUrl === undefined ? undefined : await createDatabase(serverUrl, `bench_${name}`),
    environment: benchSettings(operatorKey, providerSecret),
    ...(profileTo && file === cashierFile && { profileTo: join(profileTo, `${name}${serverUrl ? '-postgres' : ''}`) }),
  });
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
