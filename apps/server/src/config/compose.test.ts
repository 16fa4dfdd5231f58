/** No test can run `compose.yaml`; e2e/faults runs the same services as plain processes. These tests find differences. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from './config.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

interface Service {
  readonly environment?: Record<string, string>;
  readonly image?: string;
  readonly build?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Record<string, { readonly condition: string }>;
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly command?: readonly string[];
}

const text = read('compose.yaml');
const compose = parse(text, { merge: true }) as {
  readonly services: Record<string, Service>;
  readonly networks: Record<string, { readonly internal?: boolean } | null>;
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

const given = {
  CASHIER_HOST: 'cashier.example',
  POSTGRES_PASSWORD: 'postgresPassword',
  POSTGRES_APP_PASSWORD: 'applicationPassword',
  REDIS_PASSWORD: 'redisPassword',
  TOKEN_SECRET: 't'.repeat(48),
  METRICS_TOKEN: 'm'.repeat(48),
};
const settingsOf = (node: Service | undefined, env: Record<string, string> = given) =>
  readConfig(
    Object.fromEntries(Object.entries(node?.environment ?? {}).map(([name, value]) => [name, interpolate(value, env)])),
  );

test('[SRV-7] both nodes run by the same settings: one database, one Redis, one secret', () => {
  expect(nodeA).toEqual(nodeB);
  const config = settingsOf(nodeA);
  expect(config).toMatchObject({
    host: '0.0.0.0',
    publicUrl: 'https://cashier.example',
    databaseUrl: 'postgres://cashier_app:applicationPassword@postgres:5432/cashier',
    redisUrl: 'redis://:redisPassword@redis:6379',
    tokenSecret: given.TOKEN_SECRET,
    metricsToken: given.METRICS_TOKEN,
    trustedProxies: 1,
    isSandbox: false,
    hasRateLimits: true,
  });
  expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(['postgres', 'redis', 'balancer']));
});

test.each(Object.keys(given))('[SRV-9] without %s nothing starts', (name) => {
  const env = { ...given, [name]: '' };
  expect(() =>
    [compose.services['balancer'], nodeA, migrate].map((service) =>
      Object.values(service?.environment ?? {}).map((value) => interpolate(value, env)),
    ),
  ).toThrow(name);
});

test('[SRV-9] no secret has a default, and the example names every setting and holds none', () => {
  const used = [...text.matchAll(/\$\{([A-Z_]+)(?::([?-])([^}]*))?\}/g)];
  expect(used.length).toBeGreaterThan(15);
  for (const [, name = '', kind, rest = ''] of used) {
    expect(example.has(name), name).toBe(true);
    if (isSecret(name)) expect(kind === '?' ? '' : rest, name).toBe('');
  }
  for (const [name, value] of example) if (isSecret(name)) expect(value, name).toBe('');
  expect(read('.gitignore').split('\n')).toContain('.env');
  expect(read('.dockerignore').split('\n')).toContain('.env');
});

test('[SRV-9] each part says whether it is well, and who needs it waits for that', () => {
  for (const [name, { healthcheck }] of Object.entries(others))
    expect(healthcheck?.test.length, name).toBeGreaterThan(1);
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

test('[SRV-9] the image runs as a user of its own what the builds leave behind', () => {
  const lines = read('Dockerfile').split('\n');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  expect(last.some((line) => /^USER node$/.test(line))).toBe(true);
  const copied = last.flatMap((line) => /^COPY --from=\w+ \/app\/(\S+)/.exec(line)?.[1] ?? []);
  expect(copied).toEqual(
    expect.arrayContaining(['apps/server/dist', 'apps/server/package.json', 'apps/widget/dist', 'node_modules']),
  );
  for (const path of copied)
    expect(existsSync(`${root}${path.replace(/\/dist$/, '/vite.config.ts')}`), path).toBe(true);
});

test('[SRV-2] the nodes connect under a role of their own, and the owner of the tables migrates', () => {
  const of = (service: Service | undefined) => service?.environment ?? {};
  expect(of(migrate)['DATABASE_URL']).toBe(of(nodeA)['DATABASE_URL']);
  const owner = new URL(interpolate(of(migrate)['DATABASE_OWNER_URL'] ?? '', given));
  expect([owner.username, owner.password]).toEqual(['cashier', 'postgresPassword']);
  expect(of(compose.services['postgres'])['POSTGRES_USER']).toBe('cashier');
  expect(JSON.stringify(of(nodeA))).not.toContain('POSTGRES_PASSWORD');
  expect(migrate?.command).toEqual(['node', 'apps/server/dist/cli.js', 'migrate']);
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
