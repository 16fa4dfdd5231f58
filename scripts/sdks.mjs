/**
 * `npm run sdks`: runs the tests of the SDKs for Python, PHP and Go, with the vectors that all languages share. Where it may, installs a
 * language that is missing. Exits with 1 if a test failed or a language is missing.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cache, root } from './machine/paths.mjs';
import { freePort } from './machine/ports.mjs';
import { printTable } from './machine/results.mjs';
import { run } from './machine/run.mjs';
import { installSystemPackages } from './machine/system-packages.mjs';

const go = join(root, 'sdks/go');

/** What each language runs, and the package of Debian that has its program. */
const languages = [
  {
    name: 'Python',
    debian: 'python3',
    commands: [
      ['python3', ['-m', 'unittest', 'discover', '-s', 'sdks/python/tests']],
      ['python3', ['-c', 'import ast, sys; ast.parse(open(sys.argv[1]).read())', sample('python', 'py')]],
    ],
  },
  {
    name: 'PHP',
    debian: 'php-cli',
    commands: [
      ['php', ['sdks/php/tests/run.php']],
      ['php', ['-l', sample('php', 'php', (code) => `<?php\n${code}`)]],
    ],
  },
  {
    name: 'Go',
    debian: 'golang-go',
    commands: [
      ['go', ['vet', './...'], go],
      ['go', ['test', './...'], go],
      ['gofmt', ['-e', sample('go', 'go', (code) => `package main\nfunc main() {\n${code}}\n`)]],
    ],
  },
];

/**
 * Writes the samples of an SDK's README.md to a file, so that the language can say whether their syntax is right.
 *
 * @param {(code: string) => string} whole makes a program of the samples
 * @returns {string} the path of the file
 */
function sample(language, extension, whole = (code) => code) {
  const text = readFileSync(join(root, `sdks/${language}/README.md`), 'utf8');
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code]) => code,
  );
  if (blocks.length < 3)
    throw new Error(`sdks/${language}/README.md needs a sample for webhooks, a wallet and a bonus engine.`);
  // A method of Go stands outside of every function.
  const code = blocks.filter((block) => !block.startsWith('func ')).join('\n');
  const folder = join(cache, 'samples');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `sample.${extension}`);
  writeFileSync(file, whole(code));
  return file;
}

/** @returns {Promise<{ name: string, ok: boolean, seconds: number }[]>} */
export async function testSdks() {
  const server = await cashierOfTests();
  const env = {
    CASHIER_URL: server.url,
    // Nothing is fetched, and no file is written beside the sources.
    GOFLAGS: '-mod=mod',
    GOPROXY: 'off',
    GOCACHE: join(cache, 'go'),
    GOTOOLCHAIN: 'local',
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const steps = [];
  try {
    for (const { name, debian, commands } of languages) {
      const started = performance.now();
      const problem = (await missing(commands[0][0], debian)) ?? (await firstProblem(commands, env));
      if (problem !== undefined) console.error(`\n--- SDK for ${name} ---\n${problem.trimEnd()}`);
      steps.push({
        name: `SDK for ${name}`,
        ok: problem === undefined,
        seconds: (performance.now() - started) / 1000,
      });
    }
  } finally {
    await server.stop();
  }
  return steps;
}

/** @returns {Promise<string | undefined>} why the program is not there */
async function missing(program, debian) {
  const isThere = async () => (await run('which', [program])).ok;
  if (await isThere()) return undefined;
  const reason = await installSystemPackages([debian]);
  return (await isThere()) ? undefined : `${program} was not found (${reason}). Install it.`;
}

async function firstProblem(commands, env) {
  for (const [command, args, cwd = root] of commands) {
    const { ok, output } = await run(command, args, { cwd, env, timeoutMs: 3 * 60_000 });
    if (!ok) return output || `${command} failed.`;
  }
  return undefined;
}

/** A server that gives a token to the user `good`, refuses `refused`, and sends `redirected` elsewhere. */
async function cashierOfTests() {
  const port = await freePort();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      const isKnown = request.headers.authorization === 'Bearer sk_test' && request.url === '/operator/v1/user-tokens';
      const { userId } = isKnown ? JSON.parse(body) : {};
      const json = (status, value) =>
        response
          .writeHead(status, { 'content-type': 'application/json', connection: 'close' })
          .end(JSON.stringify(value));
      if (userId === 'good') json(200, { token: 'token of good', expiresAt: '2026-01-01T00:15:00Z' });
      else if (userId === 'refused') json(422, { error: { code: 'limit-max', message: 'Refused.' } });
      else if (userId === 'redirected') response.writeHead(302, { location: '/elsewhere', connection: 'close' }).end();
      // Where a redirect was followed.
      else json(200, { token: 'stolen' });
    });
  });
  await new Promise((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const steps = await testSdks();
  printTable(steps);
  process.exitCode = steps.every(({ ok }) => ok) ? 0 : 1;
}
