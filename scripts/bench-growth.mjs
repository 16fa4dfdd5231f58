/**
 * `npm run bench:growth`: shows whether costs stay flat as the rows grow. It fills databases of its own PostgreSQL with 100,000, a
 * million and ten million postings, as far as the disk has space. The audit checks each. The built server then answers the same
 * requests on each, and every time is compared with the smallest. `docs/operate.md` explains the rows.
 *
 * BENCH_ROWS (such as 100000,1000000) names the sizes in postings. BENCH_MONTHS (default 24, such as 3,12,36) spreads each over so many
 * months. BENCH_SECONDS (default 1.5) is the time of each measurement.
 * BENCH_SERVER is the address of a PostgreSQL server with `pg_stat_statements`, whose filled databases are kept and used again.
 * BENCH_AUDIT=0 leaves out the audit. BENCH_FILL=1 only fills. BENCH_JSON names the file for the numbers.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fill } from './bench/growth/fill.mjs';
import { gigabytes, sizeOf, sizesFor } from './bench/growth/sizes.mjs';
import { benchSettings, startServer } from './bench/server-process.mjs';
import { build } from './build.mjs';
import { ensureInstalled } from './machine/install.mjs';
import { cache, root } from './machine/paths.mjs';
import { ensurePostgres, startPostgres } from './machine/postgres.mjs';

const durationMs = Number(process.env['BENCH_SECONDS'] ?? 1.5) * 1000;
const jsonFile = resolve(process.env['BENCH_JSON'] ?? join(cache, 'bench/growth.json'));
const program = (name) => join(root, `apps/server/dist/${name}.js`);
const operatorKey = `sk_bench_${randomBytes(24).toString('base64url')}`;
const providerSecret = `whsec_${randomBytes(32).toString('base64')}`;
const settings = {
  shared_preload_libraries: 'pg_stat_statements',
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  maintenance_work_mem: '512MB',
};

const { bavail, bsize } = statfsSync(tmpdir());
const spans = (process.env['BENCH_MONTHS'] ?? '24').split(',').map(Number);
const sizes = sizesFor(process.env['BENCH_ROWS'], bavail * bsize).flatMap((postings) =>
  spans.map((months) => sizeOf(postings, months)),
);
await ensureInstalled();
await build();
// These need installed packages.
const { connect } = await import('./bench/growth/databases.mjs');
const { measureRequests, tableSizes } = await import('./bench/growth/measure.mjs');
const { growthTables } = await import('./bench/growth/report.mjs');

const known = process.env['BENCH_SERVER'];
const postgres =
  known === undefined
    ? await startPostgres(await ensurePostgres(), { isDurable: true, more: settings })
    : { url: known, stop: async () => undefined };
const folder = mkdtempSync(join(tmpdir(), 'opencashier-growth-'));
const results = [];
try {
  for (const size of sizes) {
    const filled = await filledDatabase(size);
    if (process.env['BENCH_FILL'] !== '1') results.push(await measure(size, filled));
  }
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (results.length > 0) {
  mkdirSync(dirname(jsonFile), { recursive: true });
  writeFileSync(jsonFile, `${JSON.stringify({ node: process.version, durationMs, results }, null, 2)}\n`);
  console.log(`${growthTables(results)}\n\nBold: more than the goal. As JSON: ${jsonFile}`);
}

/** @returns {Promise<{ url: string, auditSeconds?: number }>} a migrated database with so many rows, which the audit accepts */
async function filledDatabase(size) {
  const name = `bench_growth_${size.postings}_${size.months}`;
  const server = await connect(postgres.url);
  const isKnown = (await server.query('select 1 from pg_database where datname = $1', [name])).length > 0;
  if (!isKnown) await server.query(`create database ${name}`);
  await server.end();
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  if (!isKnown) await fillDatabase(url.href, size);
  return { url: url.href, ...(process.env['BENCH_AUDIT'] !== '0' && { auditSeconds: audit(url.href) }) };
}

async function fillDatabase(url, size) {
  const started = performance.now();
  runCli(url, 'migrate');
  const { query, run, end } = await connect(url);
  await query('create extension pg_stat_statements');
  await fill(run, size, (done) => {
    const seconds = (performance.now() - started) / 1000;
    console.log(`${done} of ${size.deposits} deposits after ${seconds.toFixed(0)} s`);
  });
  await query('vacuum analyze');
  await query('checkpoint');
  await end();
}

function runCli(databaseUrl, ...words) {
  execFileSync(process.execPath, [program('cli'), ...words], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: folder, LOG_LEVEL: 'error' },
  });
}

/** @returns {number} seconds @throws when the audit finds an error */
function audit(url) {
  const started = performance.now();
  runCli(url, 'audit');
  return (performance.now() - started) / 1000;
}

function onStep(name, { pages, times }) {
  const each = Object.entries(times).map(([width, { p50Ms }]) => `${p50Ms.toFixed(2)} ms with ${width} in flight`);
  console.log(`${name}: ${each.join(', ')}${pages === undefined ? '' : `, ${pages.toFixed(0)} pages`}`);
}

async function measure(size, { url: databaseUrl, auditSeconds }) {
  const { query, end } = await connect(databaseUrl);
  const server = await startServer({
    file: program('main'),
    dataDir: join(folder, `${size.postings}-${size.months}`),
    databaseUrl,
    environment: {
      ...benchSettings(operatorKey, providerSecret),
      // A receiver that is switched off: webhooks are queued, and none is sent.
      SEED_DEMO_WEBHOOK_URL: 'https://operator-1.example/hook',
      SEED_DEMO_WEBHOOK_SECRET: providerSecret,
    },
  });
  try {
    const [{ bytes, postings }] = await query(
      'select pg_database_size(current_database())::float8 as bytes, (select count(*)::float8 from posting) as postings',
    );
    const measured = await measureRequests({ url: server.url, operatorKey, providerSecret }, query, {
      durationMs,
      warmUpMs: durationMs / 3,
      callbacks: 200,
      onStep,
    });
    const database = { databaseBytes: bytes, bytesPerPosting: bytes / postings, tables: await tableSizes(query) };
    console.log(`${postings} postings take ${gigabytes(bytes)} GB, ${database.bytesPerPosting.toFixed(0)} bytes each`);
    return { ...size, postings, ...database, auditSeconds, ...measured };
  } finally {
    await server.stop();
    await end();
  }
}
