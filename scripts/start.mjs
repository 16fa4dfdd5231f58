/**
 * `npm start`: the cashier and a demo operator, from a fresh clone or from a finished build.
 *
 * Installs and builds what is missing, starts both programs, says what to open and stops both on SIGINT or SIGTERM.
 * docs/operate.md describes PORT, DEMO_PORT, HOST, DATA_DIR, DATABASE_URL, REDIS_URL and LOG_LEVEL. With DEMO_WALLET=operator the demo
 * operator keeps the balances in a wallet of its own (docs/sandbox.md).
 */
import { existsSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from './build.mjs';
import { demoSecrets } from './machine/demo-secrets.mjs';
import { ensureInstalled } from './machine/install.mjs';
import { root } from './machine/paths.mjs';
import { freePort, isTaken, portFromEnvironment } from './machine/ports.mjs';
import { run } from './machine/run.mjs';
import { logOf, startService, waitUntilHealthy } from './machine/service.mjs';

const cashierProgram = 'apps/server/dist/main.js';
const commandLine = 'apps/server/dist/cli.js';
const demoProgram = 'apps/demo/dist/server/main.js';
const healthyWithinMs = 60_000;
const graceMs = 15_000;
// Ctrl+C arrives from the terminal and again through npm. Only a later signal means that the user does not want to wait.
const sameSignalMs = 1000;
const watch = process.argv.includes('--watch');

/** @type {Map<string, ReturnType<typeof startService>>} */
const services = new Map();
/** Development only: what stands in front of the cashier. */
let widgetServer;
let stopping = false;
/** Both programs have answered once. */
let isUp = false;
let stoppingSince = 0;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (stopping) {
      if (performance.now() - stoppingSince < sameSignalMs) return;
      for (const service of services.values()) service.kill();
      process.exit(1);
    }
    stopping = true;
    stoppingSince = performance.now();
    console.log('\nStopping…');
    void stopAll().then(() => process.exit(0));
  });
}

try {
  await start();
} catch (error) {
  if (!stopping) {
    stopping = true;
    console.error(error.message);
    await stopAll();
    process.exit(1);
  }
}

async function start() {
  const port = portFromEnvironment('PORT', 3000);
  const demoPort = portFromEnvironment('DEMO_PORT', 3001);
  const host = process.env['HOST'] ?? '127.0.0.1';
  const hasOwnWallet = process.env['DEMO_WALLET'] === 'operator';
  await requireFreePorts({ port, demoPort, host });

  await ensureInstalled();
  // The watchers of `npm run dev` build already.
  if (!watch) await build();
  if (stopping) return;

  const dataFolder = resolve(root, process.env['DATA_DIR'] ?? (hasOwnWallet ? '.data/own-wallet' : '.data'));
  const publicUrl = (process.env['PUBLIC_URL'] ?? `http://localhost:${port}`).replace(/\/$/, '');
  const demoUrl = `http://localhost:${demoPort}`;
  // The live demo of the documentation: `npm run site -- --serve`.
  const docsOrigin = process.env['DOCS_ORIGIN'] ?? `http://localhost:${portFromEnvironment('SITE_PORT', 3003)}`;
  const secrets = demoSecrets(dataFolder);
  // 0.0.0.0 and :: mean every address of this machine. No client can connect to them.
  const reachable = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  const cashierPort = watch ? await freePort() : port;
  const cashierOrigin = `http://${reachable}:${cashierPort}`;
  if (watch) {
    const { startWidgetServer } = await import('./machine/widget-server.mjs');
    widgetServer = await startWidgetServer({ port, host, publicUrl, cashier: cashierOrigin });
    if (stopping) return;
  }

  // The watchers of `npm run dev` empty the folders of the builds first.
  while (watch && !stopping && ![cashierProgram, demoProgram].every((file) => existsSync(resolve(root, file))))
    await pause(100);
  if (stopping) return;

  const cashier = launch('cashier', cashierProgram, {
    NODE_ENV: process.env['NODE_ENV'] ?? 'production',
    PORT: String(cashierPort),
    HOST: host,
    ...(widgetServer && { WIDGET_DIR: widgetServer.folder }),
    DATA_DIR: dataFolder,
    PUBLIC_URL: publicUrl,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
    SANDBOX: '1',
    // There is no load balancer in front of it.
    DRAIN_SECONDS: '0',
    SEED_DEMO_OPERATOR_KEY: secrets.operatorKey,
    SEED_DEMO_WEBHOOK_SECRET: secrets.webhookSecret,
    SEED_DEMO_ORIGIN: [demoUrl, docsOrigin].join(','),
    SEED_DEMO_WEBHOOK_URL: `${demoUrl}/webhooks/cashier`,
    SANDBOX_PROVIDER_SECRET: secrets.sandboxSecret,
    TOKEN_SECRET: secrets.tokenSecret,
  });
  const demo = launch('demo', demoProgram, {
    NODE_ENV: process.env['NODE_ENV'] ?? 'production',
    DEMO_PORT: String(demoPort),
    HOST: host,
    CASHIER_URL: publicUrl,
    DOCS_ORIGIN: docsOrigin,
    OPERATOR_KEY: secrets.operatorKey,
    WEBHOOK_SECRET: secrets.webhookSecret,
    DATA_DIR: dataFolder,
  });

  await Promise.all([
    started(cashier, cashierOrigin, ['/ready', '/health']),
    started(demo, `http://${reachable}:${demoPort}`, ['/health']),
  ]).catch((error) => {
    throw new Error(`${error.message}\n\n${remedy()}`, { cause: error });
  });
  isUp = true;

  if (hasOwnWallet) await setWallet(`${demoUrl}/cashier-wallet`, dataFolder);

  const database = process.env['DATABASE_URL']?.trim()
    ? 'PostgreSQL (DATABASE_URL)'
    : `embedded, in ${shown(dataFolder)}`;
  console.log(`
OpenCashier is running.

  Open        ${demoUrl}   the demo operator: press Deposit${hasOwnWallet ? '\n  Balances    in the wallet of the demo operator, which the cashier calls' : ''}
  Cashier     ${publicUrl}
  Database    ${database}

Stop with Ctrl+C.`);
}

/** While watching, nothing is given up: a program that ended or hangs starts again after the next change of a source. */
async function started(service, origin, paths) {
  if (!watch) return waitUntilHealthy(service, origin, paths, healthyWithinMs);
  const { name } = service;
  const newest = {
    name,
    isRunning: () => !stopping,
    get recent() {
      return services.get(name)?.recent ?? [];
    },
  };
  return waitUntilHealthy(newest, origin, paths, healthyWithinMs, (error) => {
    // Of a program that has ended, `launch` has said so.
    if (services.get(name)?.isRunning()) console.error(`\n${error.message}\n${afterChange(name)}\n\n${remedy()}`);
  });
}

function afterChange(name) {
  return `The ${name} starts again after the next change of a source.`;
}

/** What to do when a program does not start. */
function remedy() {
  const command = watch ? 'npm run dev' : 'npm start';
  return `What to do:
  - Change what the last lines name, such as a setting, and run \`${command}\` again.
  - For a longer log: LOG_LEVEL=debug ${command}
  - If the database of an earlier build is refused: DATA_DIR=.data/another ${command}`;
}

async function requireFreePorts({ port, demoPort, host }) {
  if (port === demoPort) throw new Error(`PORT and DEMO_PORT are both ${port}; they must differ.`);
  for (const [name, wanted] of [
    ['PORT', port],
    ['DEMO_PORT', demoPort],
  ]) {
    // A browser may resolve localhost to ::1, so no other program may listen on that address.
    if ((await isTaken(wanted, host)) || (await isTaken(wanted, '::1'))) {
      throw new Error(
        `Port ${wanted} is taken. Stop the program that uses it, or choose another: ${name}=${wanted + 100} npm start`,
      );
    }
  }
}

/** Makes the demo operator's own wallet count, by the command that every operator uses. */
async function setWallet(address, dataFolder) {
  const args = [commandLine, 'set-wallet', 'demo', 'operator', '--wallet-url', address, '--same-wallet'];
  const { ok, output } = await run(process.execPath, args, { env: { SANDBOX: '1', DATA_DIR: dataFolder } });
  if (ok || stopping) return;
  throw new Error(`${output}\nOr start with a new folder: DEMO_WALLET=operator DATA_DIR=.data/another npm start`);
}

function shown(path) {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere || '.';
}

function launch(name, file, env) {
  const path = resolve(root, file);
  if (!existsSync(path)) throw new Error(`${file} is missing although the build succeeded.`);
  const service = startService({ name, args: [file], env });
  services.set(name, service);
  void service.closed.then(({ code, signal }) => {
    if (stopping || services.get(name) !== service) return;
    console.error(`\nThe ${name} ended unexpectedly (${signal ?? `exit code ${code}`}). What it logged before:`);
    console.error(logOf(service));
    if (watch) console.error(afterChange(name));
    if (watch || !isUp) console.error(`\n${remedy()}`);
    if (watch) return;
    stopping = true;
    void stopAll().then(() => process.exit(1));
  });
  if (watch) void relaunchWhenBuilt(service, name, file, env);
  return service;
}

/** Development only: restarts a program after a new build. (`node --watch` loses a file that a build replaces.) */
async function relaunchWhenBuilt(service, name, file, env) {
  const built = () => statSync(resolve(root, file), { throwIfNoEntry: false })?.mtimeMs;
  const before = built();
  let last = before;
  for (;;) {
    await pause(300);
    if (stopping) return;
    const now = built();
    // When the file is the same twice, the build has finished writing.
    if (now !== undefined && now !== before && now === last) break;
    last = now;
  }
  console.log(`[${name}] was built again, restarting`);
  services.delete(name);
  await service.stop(graceMs);
  // A further build may just have emptied the folder.
  while (!stopping && built() === undefined) await pause(100);
  if (!stopping) launch(name, file, env);
}

async function stopAll() {
  await widgetServer?.close();
  await Promise.all(Array.from(services.values(), (service) => service.stop(graceMs)));
}
