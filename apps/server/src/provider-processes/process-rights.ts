import { dirname } from 'node:path';
import type { ProviderPackage } from './provider-file.ts';

const MEMORY_MB = 256;

/**
 * The rights of the process. Without further flags Node's permission model denies files, child processes, threads and native
 * addons. The process may read its own program and the folders of packages.
 */
export function flagsFor(program: string, { readableFolders }: ProviderPackage): string[] {
  const knows = (flag: string) => process.allowedNodeEnvironmentFlags.has(flag);
  return [
    knows('--permission') ? '--permission' : '--experimental-permission',
    `--allow-fs-read=${dirname(program)}/*`,
    ...readableFolders.map((folder) => `--allow-fs-read=${folder}/*`),
    // From Node 25 on the network is denied, too. The guard in the process limits it.
    ...(knows('--allow-net') ? ['--allow-net'] : []),
    `--max-old-space-size=${MEMORY_MB}`,
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
  ];
}
