/**
 * `npm test`: runs all tests, on a machine that has only Node and npm.
 *
 * Installs what the tests need (packages, Chromium, PostgreSQL, Redis) and builds. Then it runs static checks, unit tests, size
 * budgets, integration tests on both databases, fault tests and browser tests. The published packages are examined as their users get them,
 * and the SDKs of other languages run their tests. The documentation site is built and examined. Each fault test runs for one round. After a
 * failed step the later steps still run. The end names the first failures of each step. The last line is `N passed, N failed`. It counts
 * the tests of vitest and Playwright, and one failure for each other failed step.
 */
import { build } from './build.mjs';
import { check } from './check.mjs';
import { buildExamples } from './examples.mjs';
import { ensureChromium } from './machine/chromium.mjs';
import { failuresOf, printFailures } from './machine/failures.mjs';
import { ensureInstalled } from './machine/install.mjs';
import { ensurePostgres, startPostgres } from './machine/postgres.mjs';
import { ensureRedis } from './machine/redis.mjs';
import { countsOf, freshReport, printTable, reportOf, vitestReport } from './machine/results.mjs';
import { run } from './machine/run.mjs';
import { examinePackages } from './packages.mjs';
import { testSdks } from './sdks.mjs';
import { buildSite } from './site.mjs';

// The tests start their own servers. They must not write to a database or a Redis of this machine.
for (const name of ['DATABASE_URL', 'REDIS_URL', 'PORT', 'DEMO_PORT', 'DATA_DIR', 'PUBLIC_URL', 'HOST', 'NODE_ENV']) {
  delete process.env[name];
}

// A step that hangs must leave time for the other steps. A busy machine must still have enough time.
const timeoutMs = 35 * 60_000;
/** One test that passes only when repeated may be the machine's fault; more are our fault. */
const mostRepeated = 1;
const steps = [];
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

/** Runs a step. Answers the result of `action`, or undefined when it failed. */
async function step(name, action) {
  console.log(`\n== ${name} ==`);
  const started = performance.now();
  const finish = (ok, { counts, failures } = {}) =>
    steps.push({ name, ok, seconds: (performance.now() - started) / 1000, ...(counts ? { counts, failures } : {}) });
  try {
    const result = await action();
    finish(result?.ok ?? true, result);
    return result;
  } catch (error) {
    console.error(error.message);
    finish(false);
    return undefined;
  }
}

/** Runs a test program and counts the tests of its report. A run without any test fails. */
async function tests(report, command, args, env, limitMs = timeoutMs) {
  const { ok } = await run(command, args, { show: true, env, timeoutMs: limitMs });
  const counts = countsOf(report) ?? { passed: 0, failed: 1 };
  if (counts.passed + counts.failed === 0) throw new Error(`${command} found no test to run.`);
  return {
    ok: ok && counts.failed === 0 && (counts.repeated ?? 0) <= mostRepeated,
    counts,
    failures: failuresOf(reportOf(report)),
  };
}

const integration = (database, env = {}) =>
  tests(
    `integration-${database}`,
    'vitest',
    ['run', '--project', 'integration', ...vitestReport(`integration-${database}`)],
    {
      TEST_DATABASE: database,
      ...env,
    },
  );

const installed = await step('packages', ensureInstalled).then(() => steps.at(-1).ok);
if (installed) {
  const chromium = await step('Chromium', async () => ({ path: await ensureChromium() }));
  const postgres = await step('PostgreSQL', async () => ({ binaries: await ensurePostgres() }));
  const redis = await step('Redis', async () => ({ program: await ensureRedis() }));
  await step('build', build);
  const built = steps.at(-1).ok;

  console.log('\n== checks ==');
  steps.push(...(await check()));

  console.log('\n== SDKs ==');
  steps.push(...(await testSdks()));

  if (built) await step('size budgets', () => run('size-limit', [], { show: true }));
  if (built) {
    console.log('\n== published packages ==');
    steps.push(...(await examinePackages()));
    console.log('\n== examples ==');
    steps.push(...(await buildExamples()));
  }
  await step('documentation site', async () => {
    const problem = await buildSite();
    if (problem !== '') throw new Error(problem);
  });
  await step('integration, embedded database', () => integration('embedded'));
  if (postgres !== undefined) {
    await step('integration, PostgreSQL', async () => {
      const server = await startPostgres(postgres.binaries);
      try {
        return await integration('postgres', { DATABASE_URL: server.url });
      } finally {
        await server.stop();
      }
    });
  }
  if (built && postgres !== undefined && redis !== undefined) {
    await step('faults', () => tests('faults', 'vitest', ['run', '--project', '*faults', ...vitestReport('faults')]));
  }
  if (built && chromium !== undefined) {
    await step('browser', async () => {
      // Browser tests run on PostgreSQL, which takes a third of the embedded database's time. Tests of a fresh start use the
      // embedded database.
      const server = postgres && (await startPostgres(postgres.binaries));
      try {
        const env = {
          CHROMIUM_PATH: chromium.path,
          PLAYWRIGHT_JSON_OUTPUT_FILE: freshReport('browser'),
          ...(server && { DATABASE_URL: server.url }),
        };
        // No other step waits for this last step: playwright.config.ts limits its time.
        return await tests('browser', 'playwright', ['test', '--reporter=list,json'], env, 41 * 60_000);
      } finally {
        await server?.stop();
      }
    });
  }
}

printTable(steps);
for (const { name, failures = [] } of steps) printFailures(name, failures);
const sum = (kind) => steps.reduce((total, { counts }) => total + (counts?.[kind] ?? 0), 0);
const failedWithoutCount = steps.filter(({ ok, counts }) => !ok && !(counts?.failed > 0)).length;
const failed = sum('failed') + failedWithoutCount;
console.log(`${sum('passed')} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
