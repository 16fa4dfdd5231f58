/**
 * The import gate: checks the imports of the tree, then proves that the gate itself works.
 *
 * 1. No rule of .dependency-cruiser.mjs is broken.
 * 2. The tool has read every source file, and every import that a simple text search finds. A parser that misses files must not look
 *    like a clean tree.
 * 3. No two folders of the server import each other, nor two subfolders of the widget's folders app and ui.
 * 4. The page about the server's layers names every folder.
 * 5. Each file of the canary breaks exactly the rules that its first line names, and each rule is broken by some file.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import config, { tests } from '../../.dependency-cruiser.mjs';
import { serverFolderOf, serverLayers, serverRoot } from './server-layers.mjs';
import { widgetFolderOf } from './widget-folders.mjs';

// Imported after the configuration, which sets up swc for our TypeScript before the tool loads it.
const { cruise } = await import('dependency-cruiser');

const base = resolve(fileURLToPath(import.meta.url), '../../..');
const canary = join(base, 'tools/architecture/canary');

/** A smaller number means that the tool missed files. Raise it as the tree grows. */
const floor = { modules: 250, imports: 850 };

/** Not rules of dependency-cruiser, which knows cycles of files alone. `folderOf` tells the folder of a file. */
const oneWayComment = 'Two folders that import each other are one folder, or want a third below them.';
const oneWay = [
  { name: 'server-folders-one-way', comment: oneWayComment, folderOf: serverFolderOf },
  { name: 'widget-folders-one-way', comment: oneWayComment, folderOf: widgetFolderOf },
];
const rules = [...config.forbidden, ...oneWay];

const problems = [];
const real = await graph(base, ['packages', 'apps', 'e2e', 'scripts', 'tools'], config.options);

for (const { source, target, rule } of real.broken) {
  problems.push(`${source} -> ${target}\n    ${rule}: ${commentOf(rule)}`);
}
let files = 0;
let imports = 0;
for (const file of sourceFiles(base)) {
  files += 1;
  const seen = real.imports.get(file);
  if (seen === undefined) {
    problems.push(`${file} was not read by dependency-cruiser`);
    continue;
  }
  for (const specifier of specifiersIn(readFileSync(join(base, file), 'utf8'))) {
    imports += 1;
    if (!seen.has(specifier)) problems.push(`${file} imports ${specifier}, and dependency-cruiser did not see it`);
  }
}
if (files < floor.modules) problems.push(`only ${files} source files were seen, expected at least ${floor.modules}`);
if (imports < floor.imports) problems.push(`only ${imports} imports were seen, expected at least ${floor.imports}`);

const page = readFileSync(join(base, 'docs/architecture-of-the-server.md'), 'utf8');
for (const folder of serverLayers.flatMap(({ folders }) => folders)) {
  if (!page.includes(`\`${folder}\``)) problems.push(`docs/architecture-of-the-server.md does not name ${folder}`);
  if (!existsSync(join(base, serverRoot, folder)))
    problems.push(`${serverRoot}/${folder} has a layer and is not there`);
}

const { exclude: _, ...canaryOptions } = config.options;
const wrong = await graph(canary, ['packages', 'apps', 'e2e'], canaryOptions);
const demanded = new Set();
for (const file of sourceFiles(canary)) {
  const expected = (/^\/\/ breaks: (.+)/.exec(readFileSync(join(canary, file), 'utf8'))?.[1] ?? '')
    .split(', ')
    .filter(Boolean);
  const reported = new Set(wrong.broken.filter(({ source }) => source === file).map(({ rule }) => rule));
  for (const rule of expected) {
    demanded.add(rule);
    if (!reported.has(rule)) problems.push(`canary: ${file} breaks ${rule}, and it was not reported`);
  }
  for (const rule of reported) {
    if (!expected.includes(rule))
      problems.push(`canary: ${file} is reported for ${rule}, which its first line does not name`);
  }
}
for (const { name } of rules) {
  if (!demanded.has(name)) problems.push(`canary: no file breaks ${name}, so nothing proves that it can fail`);
}

if (problems.length > 0) {
  console.error(
    `${problems.map((problem) => `  ${problem}`).join('\n')}\n\n${problems.length} problem(s) of architecture in ${files} files with ${imports} imports`,
  );
  process.exitCode = 1;
} else {
  console.log(`${files} files, ${imports} imports, ${rules.length} rules: each kept here and caught in the canary`);
}

/** Runs the tool over folders of `baseDir`. Answers the broken rules and the imports of each file. */
async function graph(baseDir, folders, options) {
  const { enhancedResolveOptions, ...cruiseOptions } = options;
  // The tool reads folders relative to the process, and answers paths relative to baseDir.
  process.chdir(baseDir);
  const { output } = await cruise(
    folders.filter((folder) => existsSync(folder)),
    { ...cruiseOptions, baseDir, validate: true, ruleSet: { forbidden: config.forbidden } },
    enhancedResolveOptions,
  );
  const broken = [
    ...output.summary.violations.map(({ from, to, rule }) => ({ source: from, target: to, rule: rule.name })),
    ...oneWay.flatMap((rule) => mutualImports(output.modules, rule)),
  ];
  const imports = new Map(
    output.modules.map(({ source, dependencies }) => [source, new Set(dependencies.map(({ module }) => module))]),
  );
  return { broken, imports };
}

/** The imports between two folders that import each other. Tests may reach into any folder. */
function mutualImports(modules, { name, folderOf }) {
  const isTest = (path) => tests.some((pattern) => new RegExp(pattern).test(path));
  const arrows = modules
    .filter(({ source }) => !isTest(source))
    .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ source, target: resolved })))
    .map((arrow) => ({ ...arrow, from: folderOf(arrow.source), to: folderOf(arrow.target) }))
    .filter(({ from, to }) => from !== undefined && to !== undefined && from !== to);
  const known = new Set(arrows.map(({ from, to }) => `${from} ${to}`));
  return arrows
    .filter(({ from, to }) => known.has(`${to} ${from}`))
    .map(({ source, target }) => ({ source, target, rule: name }));
}

/** Every .ts and .tsx file under packages and apps, relative to `folder`. */
function sourceFiles(folder) {
  const found = [];
  const walk = (directory) => {
    for (const name of readdirSync(directory)) {
      if (name === 'node_modules' || name === 'dist' || name === '.cache') continue;
      const path = join(directory, name);
      if (statSync(path).isDirectory()) walk(path);
      else if (/\.tsx?$/.test(name) && !name.endsWith('.d.ts')) found.push(relative(folder, path));
    }
  };
  for (const part of ['packages', 'apps', 'e2e']) if (existsSync(join(folder, part))) walk(join(folder, part));
  return found.sort();
}

/** The specifiers of static imports, re-exports and `import()`, by a text search that needs no parser. */
function specifiersIn(source) {
  const lines = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const found = new Set();
  for (const pattern of [
    /^\s*(?:import|export)\b[^'"`;=()]*?\bfrom\s*['"]([^'"\n$]+)['"]/gm,
    /^\s*import\s*['"]([^'"\n$]+)['"]/gm,
    /(?<![\w.$'"`])import\(\s*['"]([^'"\n$]+)['"]/g,
  ]) {
    // The tool writes `fs` for `node:fs`.
    for (const [, specifier] of lines.matchAll(pattern)) found.add(specifier.replace(/^node:/, ''));
  }
  return found;
}

function commentOf(rule) {
  return rules.find(({ name }) => name === rule)?.comment ?? '';
}
