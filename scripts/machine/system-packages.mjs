/** Installs packages of the operating system if possible: on Debian and its derivatives, as root or through sudo. */
import { existsSync } from 'node:fs';
import { run } from './run.mjs';

let refreshed = false;

/**
 * @param {string[]} packages names as Debian has them
 * @returns {Promise<string | undefined>} undefined when installed, else a text that says why not
 */
export async function installSystemPackages(packages) {
  if (!existsSync('/usr/bin/apt-get')) return 'this system has no apt-get';
  const prefix = await rightsPrefix();
  if (prefix === undefined) return 'installing system packages needs root or a sudo that asks for no password';
  const apt = (args) => {
    const [command, ...rest] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...args];
    return run(command, rest);
  };
  console.log(`Installing ${packages.join(', ')} from the system's packages…`);
  if (!refreshed) {
    const update = await apt(['update']);
    if (!update.ok) return `apt-get update failed:\n${update.output}`;
    refreshed = true;
  }
  const install = await apt(['install', '-y', '--no-install-recommends', ...packages]);
  return install.ok ? undefined : `apt-get install ${packages.join(' ')} failed:\n${install.output}`;
}

async function rightsPrefix() {
  if (process.getuid?.() === 0) return [];
  const { ok } = await run('sudo', ['-n', 'true']);
  return ok ? ['sudo', '-n'] : undefined;
}
