/** Installs node_modules when they are missing or differ from the lockfile. Otherwise takes a few milliseconds. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { run } from './run.mjs';

/** @throws when npm fails, with its own message above */
export async function ensureInstalled() {
  if (isInstalled()) return;
  console.log('Installing packages (once)…');
  // NODE_ENV=production would leave out the build tools.
  const { ok } = await run(
    'npm',
    ['ci', '--include=dev', '--prefer-offline', '--no-fund', '--no-audit', '--loglevel=error'],
    { show: true },
  );
  if (!ok) throw new Error('npm ci failed; its message is above.');
}

// npm leaves in node_modules a list of what it installed. Versions are compared, not times: a checkout touches files.
function isInstalled() {
  const installedList = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installedList)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedList, 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    const isPackage = path.includes('node_modules/');
    const mayBeAbsent = entry.optional === true || entry.devOptional === true;
    if (!isPackage || (mayBeAbsent && installed[path] === undefined)) return true;
    return installed[path] !== undefined && installed[path].version === entry.version && existsSync(join(root, path));
  });
}
