/** A catalogue as a file: tried, applied, exported and taken back on the command line. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWithoutMigration } from '../database/connection/open-database.ts';
import type { Database } from '../database/database.ts';
import { makeTestPlace, silentLogger, type TestPlace } from '../database/testing/test-database.ts';
import { keptOpen, type Printed, runCommand } from './run-command.fixture.ts';

let place: TestPlace;
let database: Database;
let environment: Record<string, string>;
beforeAll(async () => {
  place = await makeTestPlace();
  environment = {
    ...place.environment,
    PUBLIC_URL: 'https://pay.example',
    TOKEN_SECRET: 't'.repeat(32),
    SANDBOX: '1',
    SANDBOX_PROVIDER_SECRET: `whsec_${'s'.repeat(32)}`,
    // No build is there, so any name of an icon is accepted.
    WIDGET_DIR: place.dataDir,
  };
  const create =
    'create-operator acme --name Acme --origin https://acme.example --webhook-url https://acme.example/hooks';
  const created = await runCommand(create, { environment, open: openWithoutMigration });
  expect(created.exitCode, created.errors).toBe(0);
  database = await openWithoutMigration({ ...place, logger: silentLogger });
});
afterAll(async () => {
  await database?.close();
  await place.remove();
});

const run = (command: string): Promise<Printed> => runCommand(command, { environment, open: keptOpen(database) });
/** Writes a file and returns its path. */
function fileOf(name: string, text: string): string {
  const path = join(place.dataDir, name);
  writeFileSync(path, text);
  return path;
}

test('[SRV-1] a file is tried, applied, exported, and refused when somebody else was faster', async () => {
  const file = fileOf('acme.yaml', 'methods:\n  card: { limits: { USD: { max: 8000 } } }\n  upi: { enabled: false }\n');
  const tried = await run(`catalogue apply acme ${file} --dry-run`);
  expect([tried.exitCode, tried.errors]).toEqual([0, '']);
  expect(tried.out).toBe(
    '~ methods.card.limits.USD.max: 5000 -> 8000\n~ methods.upi.enabled: true -> false\n' +
      '2 differences. Nothing was changed.\n',
  );
  expect((await run('catalogue history acme')).out).toBe('None.\n');
  expect((await run(`catalogue apply acme ${file} --by maria`)).out).toContain('now has version 1.');
  const exported = (await run('catalogue export acme')).out;
  expect(exported).toContain('# Catalogue of acme, version 1, by maria at ');
  expect(exported).toContain('baseVersion: 1');
  const copy = fileOf('copy.yaml', exported);
  expect((await run(`catalogue apply acme ${copy}`)).out).toBe('Nothing changes.\n');
  expect((await run('catalogue disable acme pix --by john')).exitCode).toBe(0);
  const stale = await run(`catalogue apply acme ${copy}`);
  expect([stale.exitCode, stale.errors]).toEqual([1, expect.stringContaining('by john')]);
  expect((await run(`catalogue apply acme ${copy} --dry-run`)).errors).toContain('based on version 1');
  expect((await run(`catalogue apply acme ${file} --base-version 1`)).exitCode).toBe(1);
  const history = (await run('catalogue history acme --json')).out.trim().split('\n');
  expect(history.map((line) => JSON.parse(line))).toMatchObject([
    { version: 2, staff: 'john' },
    { version: 1, staff: 'maria' },
  ]);
  expect((await run('catalogue rollback acme 1 --by maria')).out).toContain('now has version 3.');
  expect((await run(`catalogue apply acme ${file}`)).out).toBe('Nothing changes.\n');
  expect((await run('catalogue rollback acme 9')).errors).toContain('The catalogue has no version 9.');
});

test('[SRV-1] one mistake changes nothing, and each is named with its place', async () => {
  const before = (await run('catalogue export acme')).out;
  const file = fileOf(
    'wrong.yaml',
    'methods:\n  card:\n    limits: { USD: { min: 9, max: 8 } }\n  upi: { group: crypo, colour: red }\n',
  );
  // One run names what is unknown to the schema and what is wrong in the catalogue.
  const wrong = await run(`catalogue apply acme ${file} --dry-run`);
  expect(wrong.exitCode).toBe(1);
  expect(wrong.errors.trim().split('\n')).toEqual([
    `${file}:3:22 methods.card.limits.USD.min: Must not be above max: 9 is above 8.`,
    `${file}:4:10 methods.upi.group: No group is called crypo. Did you mean crypto?`,
    expect.stringContaining(`${file}:4:24 methods.upi.colour: This field is unknown.`),
    'Nothing was changed.',
  ]);
  expect((await run('catalogue export acme')).out).toBe(before);
  for (const command of ['apply acme nowhere.yaml', 'rollback acme first', `apply acme ${file} --base-version x`]) {
    expect((await run(`catalogue ${command}`)).exitCode, command).not.toBe(0);
  }
});

test('the example of docs/catalogue.md can be applied', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/catalogue.md'), 'utf8');
  const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const applied = await run(`catalogue apply acme ${fileOf('example.yaml', example)} --by maria`);
  expect([applied.exitCode, applied.errors]).toEqual([0, '']);
  expect(applied.out).toContain('+ methods.acme_card: ');
  // The full export has every method, and changes nothing.
  const full = fileOf('full.yaml', (await run('catalogue export acme --full')).out);
  expect((await run(`catalogue apply acme ${full}`)).out).toBe('Nothing changes.\n');
});
