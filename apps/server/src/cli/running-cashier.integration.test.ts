/** Commands beside a running cashier on the embedded database, and which database a command uses. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type App, createApp } from '../app.ts';
import { readConfig } from '../config/config.ts';
import { openWithoutMigration } from '../database/connection/open-database.ts';
import { copyTemplate } from '../database/testing/test-template.ts';
import { createLogger } from '../observability/logger.ts';
import { widgetFixture } from '../transports/testing/running-server.ts';
import { runCommand } from './run-command.fixture.ts';

const folders: string[] = [];
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-cli-'));
  folders.push(folder);
  return folder;
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('[SRV-1] beside a running cashier on the embedded database', () => {
  let app: App;
  let environment: Record<string, string>;
  beforeAll(async () => {
    const dataDir = newFolder();
    await copyTemplate(dataDir);
    environment = {
      DATA_DIR: dataDir,
      PORT: '0',
      SANDBOX: '1',
      SANDBOX_PROVIDER_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      WIDGET_DIR: widgetFixture,
    };
    app = await createApp(readConfig(environment), { logger: createLogger('silent') });
    await app.start();
  });
  afterAll(() => app?.stop());
  const run = (command: string) => runCommand(command, { environment, open: openWithoutMigration });

  test('an operator is made, and its key works at once', async () => {
    const made = await run('create-operator acme --name Acme --origin https://www.acme.example');
    expect(made).toMatchObject({ exitCode: 0, errors: '' });
    const key = /secret key +(\S+)/.exec(made.out)?.[1];
    const ask = (path: string) =>
      fetch(`${app.url}/operator/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    expect((await ask('/settings')).status).toBe(200);
    const changed = await run('update-operator acme --name "Acme Ltd" --add-origin https://m.acme.example');
    expect(changed.out).toContain('name: Acme -> Acme Ltd');
    expect(await (await ask('/settings')).json()).toMatchObject({
      name: 'Acme Ltd',
      origins: ['https://www.acme.example', 'https://m.acme.example'],
    });
    expect((await run('create-operator acme --name Acme --origin https://www.acme.example')).exitCode).toBe(1);
  });

  test.each([
    'list operators',
    'list transactions acme',
    'users block acme ann --reason checked',
    'users show acme ann',
    'history acme',
    'approvals set acme --currency USD --above 100',
    'catalogue disable acme card',
    'debts deposits acme --pay yes',
    'keys list acme',
    'reports unmatched',
    'audit',
    'clock',
    'clock advance 90s',
  ])('%s works', async (command) => {
    expect(await run(command)).toMatchObject({ exitCode: 0, errors: '' });
  });

  test('[SRV-7] a backup is made through the cashier, and can be restored', async () => {
    const folder = newFolder();
    const written = await run(`backup --to ${folder}`);
    expect(written).toMatchObject({ exitCode: 0, errors: '' });
    const [name = ''] = readdirSync(folder);
    const restored = await runCommand(`restore --from ${join(folder, name)}`, {
      environment: { DATA_DIR: newFolder() },
      open: openWithoutMigration,
    });
    expect(restored).toMatchObject({ exitCode: 0, errors: '' });
    expect(restored.out).toContain('Every row was read back and compared.');
  });

  test('doctor looks into the database', async () => {
    const { out } = await run('doctor');
    expect(out).toMatch(/ok {4}operators: \d/);
  });

  test('many commands run one after the other, and the cashier goes on', async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => run('list operators')));
    expect(all.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
    expect((await fetch(`${app.url}/ready`)).status).toBe(200);
  });
});

describe('[SRV-1] a command without a cashier', () => {
  const never = () => Promise.reject(new Error('a database was opened'));
  afterEach(() => vi.restoreAllMocks());

  test.each(['list operators', 'update-operator acme --name A', 'users show acme ann', 'rotate-key acme'])(
    '%s names the folder and makes no database',
    async (command) => {
      const folder = join(newFolder(), 'none');
      const printed = await runCommand(command, { environment: { DATA_DIR: folder }, open: never });
      expect(printed).toMatchObject({ exitCode: 1, out: '' });
      expect(printed.errors).toContain(`There is no database in ${folder}. Set DATA_DIR`);
      expect(existsSync(folder)).toBe(false);
    },
  );

  test('create-operator makes a database only where it was asked to', async () => {
    const here = newFolder();
    vi.spyOn(process, 'cwd').mockReturnValue(here);
    const create = 'create-operator acme --name Acme --origin https://www.acme.example';
    const refused = await runCommand(create, { environment: {}, open: never });
    expect(refused).toMatchObject({ exitCode: 1, out: '' });
    expect(refused.errors).toContain('add --new-database');
    expect(existsSync(join(here, '.data'))).toBe(false);

    const made = await runCommand(`${create} --new-database`, { environment: {}, open: openWithoutMigration });
    expect(made.exitCode).toBe(0);
    expect(made.errors).toContain(`Making a new embedded database in ${join(here, '.data')}`);
    const listed = await runCommand('list operators', { environment: {}, open: openWithoutMigration });
    expect(listed.errors).toContain('DATA_DIR is not set, so this uses the embedded database in');
  });
});
