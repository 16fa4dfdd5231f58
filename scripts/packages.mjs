/**
 * `npm run packages`: examines each published package as its users get it. Needs a build and no network.
 *
 * Packs the package, and reads the archive with publint and attw. Then installs the archive in an empty project outside the checkout,
 * compiles a program against its declarations by both ways of resolving modules, and runs it. Exits with 1 if a step failed.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled } from './machine/install.mjs';
import { root } from './machine/paths.mjs';
import { printTable } from './machine/results.mjs';
import { run } from './machine/run.mjs';

/** Names of folders in packages/. For each: what a user has beside it, and what the user's compiler knows. */
const published = {
  embed: { peers: ['react', 'react-dom', '@types/react', 'vue'], types: [], lib: ['ES2022', 'DOM'] },
  'provider-kit': { peers: ['@types/node', 'undici-types'], types: ['node'], lib: ['ES2023'] },
  server: { peers: ['@types/node', 'undici-types'], types: ['node'], lib: ['ES2023'] },
};

/** Folders in packages/ with a provider for the cashier. Nobody compiles against them: the cashier runs them with the kit. */
const providers = ['provider-checkout-com', 'provider-paystack'];

/** What an archive may hold. Tests, sources and settings stay here. */
const allowedInArchive = /^(?:package\.json|README\.md|LICENSE|dist\/[\w./-]+\.(?:js|d\.ts|js\.map))$/;

/** `Node16` is Node's own way of resolving modules, the other is that of bundlers. */
const resolutions = [
  { module: 'Node16', moduleResolution: 'Node16' },
  { module: 'ESNext', moduleResolution: 'bundler' },
];

/** @returns {Promise<{ name: string, ok: boolean, seconds: number }[]>} */
export async function examinePackages() {
  const steps = [];
  const examinations = {
    ...Object.fromEntries(
      Object.entries(published).map(([name, surroundings]) => [
        name,
        (folder) => examination(name, surroundings, folder),
      ]),
    ),
    'create-provider': examinationOfCreate,
    ...Object.fromEntries(providers.map((name) => [name, (folder) => examinationOfProvider(name, folder)])),
  };
  for (const [name, stepsOf] of Object.entries(examinations)) {
    const folder = mkdtempSync(join(tmpdir(), 'opencashier-package-'));
    try {
      for (const [title, action] of Object.entries(stepsOf(folder))) {
        const started = performance.now();
        const problem = await action();
        steps.push({ name: `${name}: ${title}`, ok: problem === '', seconds: (performance.now() - started) / 1000 });
        if (problem === '') continue;
        console.error(`\n--- ${name}: ${title} ---\n${problem.trimEnd()}`);
        break;
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return steps;
}

/** Each step answers what is wrong; empty: nothing. */
function examination(name, { peers, ...knows }, folder) {
  const { version } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
  const archive = join(folder, `opencashier-${name}-${version}.tgz`);
  const project = join(folder, 'project');
  return {
    manifest: () => manifestProblem(name),
    pack: () => pack(name, folder),
    publint: () => complaint('publint', ['run', archive, '--strict']),
    'are the types wrong': () =>
      complaint('attw', [
        archive,
        '--profile',
        'esm-only',
        '--exclude-entrypoints',
        './cashier.global.js',
        '--no-color',
      ]),
    'install without a network': () => install(name, archive, peers, project),
    ...Object.fromEntries(
      resolutions.map((resolution) => [
        `types as ${resolution.moduleResolution} resolves`,
        () => compile(project, { ...resolution, ...knows }),
      ]),
    ),
    run: () => complaint(process.execPath, ['run.mjs'], project),
  };
}

/** A provider, installed beside the packed kit as in a folder of `PROVIDERS_FILE`, starts and has what its manifest declares. */
function examinationOfProvider(name, folder) {
  const project = join(folder, 'providers');
  return {
    manifest: () => manifestProblem(name, ['@opencashier/provider-kit']),
    pack: async () =>
      (await pack('provider-kit', folder)) ||
      pack(
        name,
        folder,
        /^(?:package\.json|provider\.json|methods\.yaml|README\.md|LICENSE|dist\/[\w./-]+\.(?:js|d\.ts))$/,
      ),
    publint: () => complaint('publint', ['run', archiveOf(name, folder), '--strict']),
    'install without a network': async () => {
      cpSync(join(root, 'scripts/packages/consumers/provider'), project, { recursive: true });
      writeFileSync(
        join(project, 'package.json'),
        JSON.stringify({ name: 'providers', private: true, type: 'module' }),
      );
      const archives = ['provider-kit', name].map((one) => archiveOf(one, folder));
      return complaint('npm', ['install', ...archives, '--offline', '--ignore-scripts'], project);
    },
    run: () => complaint(process.execPath, ['run.mjs', `@opencashier/${name}`], project),
  };
}

function archiveOf(name, folder) {
  const { version } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
  return join(folder, `opencashier-${name}-${version}.tgz`);
}

/** A project made by the packed program, with the packed kit: its tests pass, and it can be packed itself. */
function examinationOfCreate(folder) {
  const project = join(folder, 'acme');
  const made = join(folder, 'made');
  return {
    manifest: () => manifestProblem('create-provider'),
    pack: async () =>
      (await pack('provider-kit', folder)) ||
      pack('create-provider', folder, /^(?:package\.json|README\.md|LICENSE|src\/\w+\.mjs|template\/[\w./-]+)$/),
    publint: () => complaint('publint', ['run', archiveOf('create-provider', folder), '--strict']),
    'install without a network': () => {
      mkdirSync(made);
      writeFileSync(join(made, 'package.json'), JSON.stringify({ name: 'maker', private: true }));
      return complaint('npm', ['install', archiveOf('create-provider', folder), '--offline', '--ignore-scripts'], made);
    },
    'make a project': () => complaint(join(made, 'node_modules/.bin/create-provider'), ['acme'], folder),
    'install the kit': () =>
      complaint('npm', ['install', archiveOf('provider-kit', folder), '--offline', '--ignore-scripts'], project),
    'tests of the project': () => complaint('npm', ['test'], project),
    'pack the project': () => complaint('npm', ['pack', '--ignore-scripts', '--silent'], project),
  };
}

/** What a registry shows of a package, and what makes its origin provable. */
function manifestProblem(name, allowed = []) {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
  const { publishConfig, repository, license, dependencies = {} } = manifest;
  const wrong = [
    [manifest.private === true, 'it is private'],
    [
      publishConfig?.access !== 'public' || publishConfig?.provenance !== true,
      'publishConfig lacks access and provenance',
    ],
    [repository?.directory !== `packages/${name}`, 'repository does not name its folder'],
    [license !== 'Apache-2.0', 'its licence is not that of the repository'],
    [Object.keys(dependencies).some((dependency) => !allowed.includes(dependency)), 'it has dependencies'],
  ];
  return wrong
    .filter(([isWrong]) => isWrong)
    .map(([, words]) => `${manifest.name}: ${words}.`)
    .join('\n');
}

async function complaint(command, args, cwd = root) {
  const { ok, output } = await run(command, args, { cwd, env: { NODE_ENV: '' }, timeoutMs: 2 * 60_000 });
  return ok ? '' : output || `${command} failed.`;
}

async function pack(name, folder, allowed = allowedInArchive) {
  const args = ['pack', '--json', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const { ok, output } = await run('npm', args, { cwd: join(root, 'packages', name) });
  if (!ok) return output;
  // npm 11 answers a list, and later versions an object by the name of the package.
  const [{ files }] = Object.values(JSON.parse(output));
  const wrong = files.map(({ path }) => path).filter((path) => !allowed.test(path));
  if (wrong.length > 0) return `The archive holds what no user needs: ${wrong.join(', ')}`;
  const paths = new Set(files.map(({ path }) => path));
  const missing = ['LICENSE', 'README.md'].filter((path) => !paths.has(path));
  return missing.length === 0 ? '' : `The archive lacks ${missing.join(' and ')}.`;
}

async function install(name, archive, peers, project) {
  cpSync(join(root, 'scripts/packages/consumers', name), project, { recursive: true });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const problem = await complaint('npm', ['install', archive, '--offline', '--ignore-scripts', '--omit=peer'], project);
  if (problem !== '') return problem;
  const modules = join(project, 'node_modules');
  const own = readdirSync(modules).filter((entry) => !entry.startsWith('.'));
  if (own.join() !== '@opencashier') return `The package brought others with it: ${own.join(', ')}`;
  // Afterwards, because npm removes what it did not install.
  for (const peer of peers) {
    mkdirSync(dirname(join(modules, peer)), { recursive: true });
    symlinkSync(join(root, 'node_modules', peer), join(modules, peer), 'junction');
  }
  return '';
}

function compile(project, options) {
  const compilerOptions = {
    ...options,
    target: 'ES2022',
    jsx: 'react-jsx',
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    // The declarations themselves are what is examined.
    skipLibCheck: false,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['consumer.ts*'] }));
  return complaint('tsc', ['-p', project, '--pretty', 'false'], project);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await ensureInstalled();
    const steps = await examinePackages();
    printTable(steps);
    process.exitCode = steps.every(({ ok }) => ok) ? 0 : 1;
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
