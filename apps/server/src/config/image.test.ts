/** No test can build the image. These tests find what would stop its build, and what would make it large or unsafe. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

interface LockFile {
  readonly packages: Readonly<Record<string, object>>;
}

const manifests = Object.keys((JSON.parse(read('package-lock.json')) as LockFile).packages)
  .filter((folder) => folder !== '' && !folder.includes('node_modules/'))
  .map((folder) => `${folder}/package.json`);
const dockerfile = read('Dockerfile');
const ignored = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** True for a file that a build gets. As in Docker, the last pattern that names the file or a folder above it counts. */
function isSent(file: string): boolean {
  const names = (pattern: string) => {
    const source = pattern
      .replace(/^!?\/?/, '')
      .replaceAll(/[.+^$()|[\]{}]/g, '\\$&')
      .replaceAll('**/', '(?:.+/)?')
      .replaceAll(/(?<![.)])\*/g, '[^/]*');
    return new RegExp(`^${source}(?:/|$)`).test(file);
  };
  return ignored.findLast(names)?.startsWith('!') ?? true;
}

test('[SRV-9] the image gets the package.json of every workspace before the sources', () => {
  expect(manifests.length).toBeGreaterThan(8);
  const [before = ''] = dockerfile.split('COPY . .');
  const copied = [...before.matchAll(/^COPY (\S+\/package\.json) (\S+)$/gm)];
  expect(copied.map(([, file]) => file).toSorted()).toEqual(manifests.toSorted());
  for (const [, file = '', place = ''] of copied) expect(`${place}package.json`).toBe(file);
  // Once for the build, once for what runs: a change of the sources alone repeats neither.
  expect(before.match(/npm (?:ci|install)/g)).toEqual(['npm ci', 'npm ci']);
  expect(dockerfile.match(/npm (?:ci|install|prune)/g)).toHaveLength(2);
});

test('[SRV-9] the build gets each file that it needs, and no secret, test or document', () => {
  const needed = [...manifests, 'package-lock.json', 'apps/server/src/main.ts', 'apps/widget/src/main.tsx'];
  for (const file of needed) expect(existsSync(`${root}${file}`), file).toBe(true);
  expect(needed.filter((file) => !isSent(file))).toEqual([]);
  const kept = [
    '.env',
    'secrets/token_secret',
    'apps/widget/node_modules/x/y.js',
    'docs/README.md',
    'apps/server/src/app.test.ts',
  ];
  expect(kept.filter(isSent)).toEqual([]);
});

test('[SRV-9] the image runs as a user of its own what the builds leave behind', () => {
  const lines = dockerfile.split('\n');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  expect(last.filter((line) => line.startsWith('USER '))).toEqual(['USER 1000:1000']);
  const copied = last.flatMap((line) => /^COPY --from=(\S+) \/app\/(\S+)/.exec(line)?.slice(1, 3).join(' ') ?? []);
  expect(copied).toEqual([
    'run-time-packages node_modules',
    'build apps/server/package.json',
    'build apps/server/dist',
    'build apps/widget/dist',
  ]);
  for (const app of ['server', 'widget']) expect(existsSync(`${root}apps/${app}/vite.config.ts`), app).toBe(true);
  const images = lines.filter((line) => /^FROM \S/.test(line)).map((line) => line.split(' ')[1]);
  expect(new Set(images)).toEqual(new Set([`\${NODE_IMAGE}`, 'manifests']));
  expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:24\.\d+\.\d+-bookworm-slim(?:@sha256:[0-9a-f]{64})?$/m);
});
