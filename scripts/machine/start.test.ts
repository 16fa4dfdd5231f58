/** `npm start` and `npm run dev` with programs that fail while they start. */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { freePort } from './ports.mjs';

const scripts = join(import.meta.dirname, '..');
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const failing = `console.log(JSON.stringify({ level: 30, msg: 'opening the database' })); process.exitCode = 3;`;
const healthy = (port: string) =>
  `import { createServer } from 'node:http';
   createServer((_, response) => response.end()).listen(Number(process.env.${port}), '127.0.0.1');
   process.on('SIGTERM', () => process.exit(0));`;

/** A checkout that is installed and built, with these programs. */
function checkout(programs: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'start-'));
  folders.push(root);
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  for (const part of ['start.mjs', 'build.mjs', 'machine'])
    cpSync(join(scripts, part), join(root, 'scripts', part), { recursive: true });
  write('package-lock.json', '{ "packages": {} }');
  write('node_modules/.package-lock.json', '{ "packages": {} }');
  mkdirSync(join(root, 'packages'));
  // The server of the widget's sources needs packages.
  write(
    'scripts/machine/widget-server.mjs',
    'export const startWidgetServer = async () => ({ folder: "", close() {} });',
  );
  for (const [file, text] of Object.entries(programs)) write(file, text);
  return root;
}

const cashier = 'apps/server/dist/main.js';
const demo = 'apps/demo/dist/server/main.js';

/** Starts the script. `onText` is called with all that it has printed, each time that it prints. */
async function start(root: string, args: readonly string[], onText: (text: string, stop: () => void) => void) {
  const child = spawn(process.execPath, [join(root, 'scripts/start.mjs'), ...args], {
    env: { PATH: process.env['PATH'], PORT: String(await freePort()), DEMO_PORT: String(await freePort()) },
  });
  let text = '';
  const read = (chunk: Buffer): void => {
    text += chunk.toString();
    onText(text, () => child.kill('SIGTERM'));
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, text };
}

/** Ends before its log is read: a program that it started still writes. */
const failingEarly = `import { spawn } from 'node:child_process';
  const late = \`setTimeout(() => console.log(JSON.stringify({ level: 30, msg: 'opening the database' })), 500)\`;
  spawn(process.execPath, ['-e', late], { stdio: ['ignore', 'inherit', 'inherit'] }).unref();
  process.exitCode = 3;`;

const times = (text: string, part: string): number => text.split(part).length - 1;

test.each([
  ['ends', failing],
  ['ends before its log is read', failingEarly],
])('a program that %s while starting ends the start, and it is said once what to do', async (_how, program) => {
  const root = checkout({ [cashier]: program, [demo]: healthy('DEMO_PORT') });
  const { code, text } = await start(root, [], () => undefined);
  expect(code).toBe(1);
  expect(text).toMatch(/The cashier ended (?:unexpectedly|while starting)/);
  expect(text).toContain('opening the database');
  expect(times(text, 'What to do:')).toBe(1);
  expect(text).toContain('LOG_LEVEL=debug npm start');
});

test('while watching, a program that ended while starting starts again after a change', async () => {
  const root = checkout({ [cashier]: failing, [demo]: healthy('DEMO_PORT') });
  let isMended = false;
  const { code, text } = await start(root, ['--watch'], (printed, stop) => {
    if (printed.includes('OpenCashier is running.') && !printed.includes('Stopping')) return stop();
    if (isMended || !printed.includes('What to do:')) return;
    isMended = true;
    writeFileSync(join(root, cashier), healthy('PORT'));
  });
  expect(code, text).toBe(0);
  expect(text).toContain('The cashier starts again after the next change of a source.');
  expect(text).toContain('LOG_LEVEL=debug npm run dev');
  expect(text).toContain('[cashier] was built again, restarting');
  expect(times(text, 'What to do:')).toBe(1);
});
