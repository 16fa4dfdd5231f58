/**
 * `npm run examples`: builds the examples of pages as their readers would, and runs the example of a backend beside a cashier in
 * its sandbox. Needs `npm run build` and no network.
 * `npm run examples -- next` also installs and builds the example in Next.js, and makes a deposit there in a browser. It fetches
 * about 300 MB, so npm test leaves it out, and .github/workflows/examples.yml runs it every night.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { backendAgainstSandbox } from './examples/against-sandbox.mjs';
import { nextDeposit } from './examples/next-deposit.mjs';
import { cache, root } from './machine/paths.mjs';
import { printTable } from './machine/results.mjs';
import { run } from './machine/run.mjs';

const pages = ['react', 'vue', 'svelte'];

/** @returns {Promise<{ name: string, ok: boolean, seconds: number }[]>} */
export async function buildExamples({ withNext = false } = {}) {
  const steps = [];
  for (const name of pages) {
    const args = ['build', '--outDir', join(cache, 'examples', name), '--emptyOutDir', '--logLevel', 'warn'];
    const result = await run('vite', args, {
      cwd: join(root, 'examples', name),
      env: { NODE_ENV: 'production' },
      timeoutMs: 2 * 60_000,
    });
    if (!result.ok) console.error(`\n--- example ${name} ---\n${result.output.trimEnd()}`);
    steps.push({ name: `example ${name}`, ok: result.ok, seconds: result.seconds });
  }
  const started = performance.now();
  const problem = await backendAgainstSandbox();
  if (problem !== '') console.error(`\n--- example backend ---\n${problem}`);
  steps.push({
    name: 'example backend in the sandbox',
    ok: problem === '',
    seconds: (performance.now() - started) / 1000,
  });
  if (withNext) steps.push(await buildNext());
  return steps;
}

/** Outside the checkout, with the archive of the package, as a reader has it. */
async function buildNext() {
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'opencashier-next-'));
  try {
    cpSync(join(root, 'examples/next'), folder, {
      recursive: true,
      filter: (path) => !/\/(?:node_modules|\.next)$/.test(path),
    });
    const pack = await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
      cwd: join(root, 'packages/embed'),
    });
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    manifest.dependencies['@opencashier/embed'] = `file:./${pack.output.trim()}`;
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    for (const [command, args] of [
      ['npm', ['install', '--no-audit', '--no-fund']],
      ['npm', ['run', 'build']],
    ]) {
      const env = { NODE_ENV: '', NEXT_TELEMETRY_DISABLED: '1' };
      const { ok, output } = await run(command, args, { cwd: folder, env, timeoutMs: 10 * 60_000 });
      if (ok) continue;
      console.error(`\n--- example next: ${args.join(' ')} ---\n${output.trimEnd()}`);
      return { name: 'example next', ok: false, seconds: (performance.now() - started) / 1000 };
    }
    const problem = await nextDeposit(folder);
    if (problem !== '') console.error(`\n--- example next: deposit in a browser ---\n${problem}`);
    return { name: 'example next', ok: problem === '', seconds: (performance.now() - started) / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const steps = await buildExamples({ withNext: process.argv.includes('next') });
  printTable(steps);
  process.exitCode = steps.every(({ ok }) => ok) ? 0 : 1;
}
