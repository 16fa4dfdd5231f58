/**
 * `npm run pin-images`: writes the digest of each image behind its tag, in `Dockerfile` and `compose.yaml`. A tag can be moved to other
 * bytes; a digest cannot. Asks Docker Hub, and needs no Docker. Renovate renews tags and digests afterwards.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './machine/paths.mjs';

const files = ['Dockerfile', 'compose.yaml'];
const timeLimitMs = 30_000;
/** An official image of Docker Hub with its tag. Images of others and settings (`${…}`) are not ours to pin. */
const named = /^(ARG NODE_IMAGE=| +image: )([a-z0-9-]+):([\w.-]+)(?:@sha256:[0-9a-f]{64})?$/gm;
/** The list of an image for all processors comes first: its digest is the same on each machine. */
const accepted = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
];

/**
 * @param {string} text of a file
 * @param {(name: string, tag: string) => Promise<string>} digestOf answers `sha256:…`
 * @returns {Promise<string>} the text with digests
 */
export async function pinned(text, digestOf) {
  const digests = new Map();
  for (const [, , name, tag] of text.matchAll(named)) digests.set(`${name}:${tag}`, await digestOf(name, tag));
  return text.replace(named, (_all, start, name, tag) => `${start}${name}:${tag}@${digests.get(`${name}:${tag}`)}`);
}

/**
 * @param {typeof fetch} ask
 * @throws with the status when Docker Hub does not know the tag, or does not answer
 */
export async function digestAtDockerHub(name, tag, ask = fetch) {
  const read = async (address, options = {}) => {
    const answer = await ask(address, { ...options, signal: AbortSignal.timeout(timeLimitMs) });
    if (!answer.ok) throw new Error(`${new URL(address).host} answered ${answer.status} for ${name}:${tag}.`);
    return answer;
  };
  const scope = `repository:library/${name}:pull`;
  const login = await read(`https://auth.docker.io/token?service=registry.docker.io&scope=${scope}`);
  const { token } = await login.json();
  const manifest = await read(`https://registry-1.docker.io/v2/library/${name}/manifests/${tag}`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${token}`, accept: accepted.join(', ') },
  });
  const digest = manifest.headers.get('docker-content-digest') ?? '';
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`Docker Hub named no digest for ${name}:${tag}.`);
  return digest;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    // All are asked before one is written.
    const texts = await Promise.all(
      files.map(async (file) => [file, await pinned(readFileSync(join(root, file), 'utf8'), digestAtDockerHub)]),
    );
    for (const [file, text] of texts) {
      writeFileSync(join(root, file), text);
      for (const [line] of text.matchAll(named)) console.log(`${file}: ${line.trim()}`);
    }
  } catch (error) {
    console.error(
      `Nothing was changed. ${error.message}${error.cause === undefined ? '' : ` (${error.cause.message})`}`,
    );
    process.exitCode = 1;
  }
}
