/** The chart in deploy/helm, linted and rendered by Helm itself, and compared with the settings of the server. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ensureHelm } from '../../../../scripts/machine/helm.mjs';
import { readConfig } from './config.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const chart = join(root, 'deploy/helm/opencashier');
const run = promisify(execFile);

interface Container {
  readonly image: string;
  readonly command?: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly securityContext: object;
  readonly resources: { readonly limits: object; readonly requests: object };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}
interface Pod {
  readonly securityContext: object;
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly containers: readonly [Container];
  readonly volumes: readonly { readonly secret?: { readonly secretName: string; readonly items: readonly object[] } }[];
}
interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> };
  readonly spec: Record<string, unknown>;
}

let helm: string;
const folder = mkdtempSync(join(tmpdir(), 'cashier-helm-'));
beforeAll(async () => {
  helm = await ensureHelm();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const least = { publicUrl: 'https://pay.example', secret: { name: 'cashier' }, ownerSecret: { name: 'owner' } };
const everything = {
  ...least,
  secret: {
    name: 'cashier',
    keys: ['database-url', 'redis-url', 'token-secret', 'data-key', 'metrics-token', 'chain-key-ton'],
  },
  settings: { RATES_URL: 'https://rates.example/all.json', CRYPTO_FILE: '/settings/crypto.json', RATE_STALE_AFTER: 60 },
  files: { 'crypto.json': '{}' },
  image: {
    repository: 'registry.example/cashier',
    digest: `sha256:${'0'.repeat(64)}`,
    pullSecrets: [{ name: 'pull' }],
  },
  backup: { enabled: true, existingClaim: 'backups' },
  ingress: { enabled: true, className: 'nginx', host: 'pay.example', tlsSecret: 'pay-tls', annotations: { a: 'b' } },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  networkPolicy: { from: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }] },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'pay', operator: 'Exists' }],
  podAnnotations: { team: 'pay' },
};

function valuesFile(values: object): string {
  const file = join(folder, 'values.yaml');
  writeFileSync(file, JSON.stringify(values));
  return file;
}

async function render(values: object): Promise<Resource[]> {
  const { stdout } = await run(helm, ['template', 'pay', chart, '--values', valuesFile(values)]);
  return parseAllDocuments(stdout).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Resource;
  });
}

const of = (resources: readonly Resource[], kind: string, name = 'pay-opencashier'): Resource => {
  const found = resources.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
};
const podOf = ({ spec }: Resource): Pod => (spec['template'] as { spec: Pod }).spec;

test.each([
  ['the least values', least],
  ['every part switched on', everything],
])('[SRV-7] Helm finds no fault in the chart with %s', async (_, values) => {
  const { stdout } = await run(helm, ['lint', '--strict', chart, '--values', valuesFile(values)]);
  expect(stdout).toContain('0 chart(s) failed');
  const kinds = (await render(values)).map(({ kind }) => kind);
  expect(new Set(kinds).has('Deployment')).toBe(true);
  // The two audits always, and the backup with a volume for it.
  expect(kinds.filter((kind) => kind === 'CronJob')).toHaveLength(values === everything ? 3 : 2);
});

test.each([
  ['no address', { ...least, publicUrl: '' }, '/publicUrl'],
  ['an address without https', { ...least, publicUrl: 'http://pay.example' }, '/publicUrl'],
  ['no Secret', { ...least, secret: { name: '' } }, '/secret/name'],
  [
    'a Secret without the token secret',
    { ...least, secret: { name: 'x', keys: ['database-url', 'redis-url'] } },
    '/secret/keys',
  ],
  ['a misspelt value', { ...least, replica: 3 }, 'replica'],
  ['half a digest', { ...least, image: { digest: 'sha256:12' } }, '/image/digest'],
])('[SRV-9] %s is refused before anything changes', async (_, values, words) => {
  await expect(render(values)).rejects.toThrow(words);
});

test('[SRV-9] a node has the settings that the server reads, and secrets as files', async () => {
  const deployment = of(await render(everything), 'Deployment');
  const [cashier] = podOf(deployment).containers;
  const read = Object.fromEntries(
    cashier.env.map(({ name, value }) => {
      const key = value.startsWith('/run/secrets/cashier/') ? value.slice('/run/secrets/cashier/'.length) : undefined;
      if (key === undefined) return [name, value];
      const file = join(folder, key);
      const content = { 'database-url': 'postgres://app:x@db/cashier', 'redis-url': 'redis://cache' }[key];
      writeFileSync(file, content ?? 's'.repeat(48));
      return [name, file];
    }),
  );
  expect(readConfig(read)).toMatchObject({
    host: '0.0.0.0',
    port: 3000,
    publicUrl: 'https://pay.example',
    databaseUrl: 'postgres://app:x@db/cashier',
    redisUrl: 'redis://cache',
    tokenSecret: 's'.repeat(48),
    chainKeys: { CHAIN_KEY_TON: 's'.repeat(48) },
    trustedProxies: 1,
    drainMs: 10_000,
    rateStaleAfterMs: 60_000,
  });
});

test('[SRV-9] an upgrade takes one node after the other, and a stop has its time', async () => {
  const resources = await render(least);
  const { spec } = of(resources, 'Deployment');
  expect(spec).toMatchObject({ replicas: 2, strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } });
  expect(podOf(of(resources, 'Deployment')).terminationGracePeriodSeconds).toBeGreaterThan(10 + 7);
  expect(of(resources, 'PodDisruptionBudget').spec).toMatchObject({ maxUnavailable: 1 });
  const job = of(resources, 'Job', 'pay-opencashier-migrate');
  expect(job.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
  expect(podOf(job).containers[0].command).toEqual(['opencashier', 'migrate']);
  const stopped = await render({ ...least, migrate: { nodesStopped: true } });
  expect(podOf(of(stopped, 'Job', 'pay-opencashier-migrate')).containers[0].command?.at(-1)).toBe('--nodes-stopped');
});

test('[SRV-2] [SRV-9] every pod runs without rights, and only the migration and the backup get the password of the owner', async () => {
  const resources = await render(everything);
  const jobOf = (name: string): Resource => {
    const { spec } = of(resources, 'CronJob', `pay-opencashier-${name}`).spec['jobTemplate'] as Pick<Resource, 'spec'>;
    return { kind: '', metadata: { name: '' }, spec };
  };
  const pods = {
    node: podOf(of(resources, 'Deployment')),
    migrate: podOf(of(resources, 'Job', 'pay-opencashier-migrate')),
    backup: podOf(jobOf('backup')),
    audit: podOf(jobOf('audit')),
    'audit-full': podOf(jobOf('audit-full')),
  };
  for (const [name, pod] of Object.entries(pods)) {
    expect(pod.securityContext, name).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(pod, name).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    const [container] = pod.containers;
    expect(container.securityContext, name).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.resources.limits, name).toHaveProperty('memory');
    expect(container.image, name).toBe(`registry.example/cashier@sha256:${'0'.repeat(64)}`);
    expect(JSON.stringify(pod).includes('owner'), name).toBe(['migrate', 'backup'].includes(name));
  }
});

test('[SRV-9] Prometheus names the nodes as the alerts do', async () => {
  const resources = await render(everything);
  const { jobLabel } = of(resources, 'ServiceMonitor').spec as { readonly jobLabel?: string };
  const { labels } = of(resources, 'Service').metadata as { readonly labels?: Readonly<Record<string, string>> };
  expect(labels?.[jobLabel ?? '']).toBe('opencashier');
});

test('[SRV-7] the chart is of the version of the server', () => {
  const { version, appVersion } = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8')) as Record<string, string>;
  const server = JSON.parse(readFileSync(join(root, 'apps/server/package.json'), 'utf8')) as { version: string };
  expect([version, appVersion]).toEqual([server.version, server.version]);
});
