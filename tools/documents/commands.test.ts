/** The commands of the documents: shell syntax, commands and options of `opencashier`, scripts of npm, and files that they name. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@opencashier/core/time/clock';
import { beforeAll, expect, test } from 'vitest';
import { createProgram } from '../../apps/server/src/cli/command-line.ts';
import { codeIn, documentsWithCode, type Fence, root, withoutFences } from './fences.ts';

type Program = ReturnType<typeof createProgram>;

/** Programs that are not ours. A new one is added here by somebody who has tried its line. */
const ofOthers = new Set('cd cp mkdir export git docker kubectl helm psql curl grep sort uniq openssl'.split(' '));

/** Programs that npx runs in a project of the reader. */
const npmPackages = new Set(['create-next-app@16', 'next']);

const shellFences = codeIn('bash', 'console');
const scripts = scriptsOf('.');
let helpOfServerPackage = '';

beforeAll(() => {
  const files = ['main', 'check', 'listen'].map((name) =>
    readFileSync(join(root, `packages/server/src/cli/${name}.ts`), 'utf8'),
  );
  helpOfServerPackage = files.join('\n');
});

function scriptsOf(folder: string): ReadonlySet<string> {
  const file = join(root, folder, 'package.json');
  return new Set(existsSync(file) ? Object.keys(JSON.parse(readFileSync(file, 'utf8')).scripts ?? {}) : []);
}

/** The lines of a fence as words, without comments, settings before a command and what is behind a pipe. */
function commandsIn({ language, text }: Fence): string[][] {
  const lines = text.replaceAll('\\\n', ' ').split('\n');
  return lines
    .flatMap((line) => {
      if (language === 'console') return line.startsWith('$ ') ? [line.slice(2)] : [];
      // A line in brackets runs in a shell of its own.
      const own = /^\((.*)\)$/.exec(line)?.[1] ?? line;
      return own.replace(/(?:^|\s)#.*$/, '').split(/ (?:&&|\|) /);
    })
    .map(wordsOf)
    .filter((words) => words.length > 0);
}

function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/^["']|["']$/g, ''),
  );
  const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const end = words.findIndex((word) => /^[<>]$/.test(word));
  return first < 0 ? [] : words.slice(first, end < 0 ? undefined : end);
}

/** The command table of the program, whose commands do nothing. */
function idleProgram(): { program: Program; said: string[] } {
  const said: string[] = [];
  const nothing = () => Promise.reject(new Error('no database here'));
  const output = { out: () => undefined, error: (line: string) => void said.push(line), progress: () => undefined };
  const program = createProgram({
    environment: {},
    output,
    clock: systemClock,
    open: nothing,
    config: () => {
      throw new Error('no settings here');
    },
    withDatabase: nothing,
    withEachCell: nothing,
    exitWith: () => undefined,
  });
  const idle = (commands: readonly Pick<Program, 'commands' | 'action'>[]): void => {
    for (const command of commands) {
      if (command.commands.length === 0) command.action(() => undefined);
      idle(command.commands as never);
    }
  };
  idle(program.commands as never);
  return { program, said };
}

/** @returns what commander says about the arguments; empty: it takes them */
async function complaintOf(args: readonly string[]): Promise<string> {
  const { program, said } = idleProgram();
  try {
    await program.parseAsync([...args], { from: 'user' });
    return '';
  } catch (error) {
    // Help is printed by an error with exit code 0.
    if (error instanceof Error && 'exitCode' in error && error.exitCode === 0) return '';
    return said.join(' ') || String(error);
  }
}

/** @returns what is wrong with a command; empty: nothing */
async function problemOf(words: readonly string[], folders: readonly string[]): Promise<string> {
  const own = words.indexOf('opencashier');
  const [program = '', first = '', second = '', ...others] = words;
  if (own >= 0 && program !== 'npm') return complaintOf(words.slice(own + 1));
  if (program === 'npm') return problemOfNpm(words.slice(1), folders);
  if (program === 'node') {
    if (first === 'apps/server/dist/cli.js') return complaintOf([second, ...others]);
    // A fresh clone has sources, and what the build makes of them only later.
    const source = first.replace(/\/dist\/(.+)\.js$/, '/src/$1.ts');
    return existsSync(join(root, source)) ? '' : `there is no ${source}`;
  }
  if (program === 'sh') return existsSync(join(root, first)) ? '' : `there is no ${first}`;
  if (program === 'npx') return problemOfNpx(words.slice(1));
  return ofOthers.has(program) ? '' : `nobody has tried ${program}`;
}

async function problemOfNpm([verb = '', name = '', dashes, ...args]: readonly string[], folders: readonly string[]) {
  if (verb === 'install') return problemOfInstall([name, dashes, ...args], folders);
  if (['publish', 'ci', 'pack'].includes(verb)) return '';
  // packages/create-provider
  if (verb === 'create' && name === '@opencashier/provider') return '';
  const script = verb === 'run' ? name : verb;
  const isThere = scripts.has(script) || folders.some((folder) => scriptsOf(folder).has(script));
  if (!isThere) return `package.json has no script ${script}`;
  return script === 'opencashier' && dashes === '--' ? complaintOf(args) : '';
}

/** Our packages are not published yet, so an example is installed with an archive of each package that it names. */
function problemOfInstall(args: readonly (string | undefined)[], folders: readonly string[]): string {
  const missing = folders.flatMap(ownPackagesOf).filter((name) => {
    const archive = `${name.replace('@', '').replace('/', '-')}-`;
    return !args.some((arg) => arg?.includes(archive) === true && arg.endsWith('.tgz'));
  });
  return missing.map((name) => `${name} is not published: name its archive`).join(', ');
}

function ownPackagesOf(folder: string): string[] {
  const file = join(root, folder, 'package.json');
  const { dependencies = {} } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return Object.keys(dependencies).filter((name) => name.startsWith('@opencashier/'));
}

function problemOfNpx([tool = '', command = '', ...args]: readonly string[]): string {
  if (npmPackages.has(tool)) return '';
  if (tool !== '@opencashier/server') {
    return existsSync(join(root, 'node_modules/.bin', tool)) ? '' : `${tool} is not installed`;
  }
  if (!['check', 'listen', 'trigger'].includes(command)) return `@opencashier/server has no command ${command}`;
  const unknown = args.filter((arg) => arg.startsWith('--') && !helpOfServerPackage.includes(`  ${arg} `));
  return unknown.map((option) => `@opencashier/server has no option ${option}`).join(', ');
}

async function problemsIn(some: readonly Fence[]): Promise<string[]> {
  const problems: string[] = [];
  for (const fence of some) {
    const commands = commandsIn(fence);
    const folders = commands.flatMap(([program, folder = '']) => (program === 'cd' ? [folder] : []));
    for (const words of commands) {
      const problem = await problemOf(words, folders);
      if (problem !== '') problems.push(`${fence.place} ${words.join(' ')}: ${problem}`);
    }
  }
  return problems;
}

test('the shell can read every block of commands', () => {
  expect(shellFences.length).toBeGreaterThan(50);
  const broken = codeIn('bash').filter(({ text }) => {
    try {
      execFileSync('bash', ['-n'], { input: text, stdio: ['pipe', 'ignore', 'ignore'] });
      return false;
    } catch {
      // bash has said what it cannot read by its exit code.
      return true;
    }
  });
  expect(broken.map(({ place }) => place)).toEqual([]);
});

test('every command, option, script and file in a block of commands exists', async () => {
  expect(await problemsIn(shellFences)).toEqual([]);
});

test('every command of the program that a sentence names exists, with its options', async () => {
  const { program } = idleProgram();
  const unknown = documentsWithCode().flatMap((path) => {
    const prose = withoutFences(readFileSync(join(root, path), 'utf8'));
    return [...prose.matchAll(/`opencashier ([^`]+)`/g)]
      .filter(([, words = '']) => !isKnown(program, wordsOf(words.replaceAll('\n', ' ').split(' | ')[0] ?? '')))
      .map(([code]) => `${path}: ${code}`);
  });
  expect(unknown).toEqual([]);
});

/** Whether the words begin with a command, and have only its options. `a|b` names two commands. */
function isKnown(program: Pick<Program, 'commands' | 'options'>, words: readonly string[]): boolean {
  const [first = '', ...others] = words;
  if (first === 'help') return true;
  const names = first.split('|');
  const found = program.commands.filter((command) => names.includes(command.name()));
  if (found.length > 0) {
    return found.length === names.length && found.every((command) => isKnown(command as never, others));
  }
  if (program.commands.length > 0 && first !== '' && !/^[<[…-]/.test(first)) return false;
  const options = words.flatMap((word) => /^\[?(--[a-z-]+)/.exec(word)?.[1] ?? []);
  return options.every((option) => program.options.some(({ long }) => long === option));
}

test('npm scripts that a sentence names exist', () => {
  const unknown = documentsWithCode().flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/`npm run ([\w:-]+)/g)]
      .filter(([, name = '']) => !scripts.has(name))
      .map(([code]) => `${path}: ${code}`),
  );
  expect(unknown).toEqual([]);
});

test('an example that is installed without the archives of our packages is found', async () => {
  const fence = { path: 'x.md', place: 'x.md:1', language: 'bash', note: '' };
  const text = 'cd examples/remix && npm install ~/opencashier-embed-0.1.0.tgz\n';
  expect(await problemsIn([{ ...fence, text }])).toEqual([
    'x.md:1 npm install ~/opencashier-embed-0.1.0.tgz: @opencashier/server is not published: name its archive',
  ]);
});

test('a wrong option, a missing script and an unknown program are found', async () => {
  const fence = { path: 'x.md', place: 'x.md:1', language: 'bash', note: '' };
  const text = 'opencashier keys list acme --lable x\nopencashier nothing\nnpm run nothing\nfrobnicate now\n';
  expect(await problemsIn([{ ...fence, text }])).toEqual([
    expect.stringMatching(/^x\.md:1 opencashier keys .*unknown option '--lable'/),
    expect.stringMatching(/unknown command 'nothing'/),
    'x.md:1 npm run nothing: package.json has no script nothing',
    'x.md:1 frobnicate now: nobody has tried frobnicate',
  ]);
});
