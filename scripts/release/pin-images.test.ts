import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestAtDockerHub, pinned } from '../pin-images.mjs';

const root = join(import.meta.dirname, '../..');
const digest = (letter: string) => `sha256:${letter.repeat(64)}`;

test.each([
  ['Dockerfile', ['node']],
  ['compose.yaml', ['caddy', 'postgres', 'redis']],
])('every image of others in %s has a digest, and gets a new one on each run', async (file, names) => {
  const text = readFileSync(join(root, file), 'utf8');
  expect(text.match(/@sha256:[0-9a-f]{64}$/gm)).toHaveLength(names.length);
  const asked: string[] = [];
  const first = await pinned(text, async (name: string) => {
    asked.push(name);
    return digest('a');
  });
  expect(asked).toEqual(names);
  expect(first.match(/@sha256:a{64}$/gm)).toHaveLength(names.length);
  const second = await pinned(first, async () => digest('b'));
  expect(second).toBe(first.replaceAll(digest('a'), digest('b')));
});

test('the digest is asked for with a token, and an unknown tag says so', async () => {
  const requests: string[] = [];
  const hub = async (address: string | URL | Request, options?: RequestInit) => {
    requests.push(
      `${options?.method ?? 'GET'} ${String(address)} ${new Headers(options?.headers).get('authorization') ?? ''}`,
    );
    if (String(address).includes('missing')) return new Response('', { status: 404 });
    if (String(address).startsWith('https://auth.')) return Response.json({ token: 't' });
    return new Response(null, { headers: { 'docker-content-digest': digest('c') } });
  };
  expect(await digestAtDockerHub('node', '24', hub)).toBe(digest('c'));
  expect(requests).toEqual([
    'GET https://auth.docker.io/token?service=registry.docker.io&scope=repository:library/node:pull ',
    'HEAD https://registry-1.docker.io/v2/library/node/manifests/24 Bearer t',
  ]);
  await expect(digestAtDockerHub('node', 'missing', hub)).rejects.toThrow(
    'registry-1.docker.io answered 404 for node:missing.',
  );
});
