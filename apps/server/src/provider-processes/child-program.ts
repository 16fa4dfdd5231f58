/** The file of the child's program. */
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

let built: Promise<string> | undefined;

/**
 * In the built server the program lies beside the bundle. From source it is built first, since Node 20 runs no TypeScript and the
 * process may start no loader.
 * @returns its path
 */
export function childProgram(): Promise<string> {
  if (!import.meta.url.endsWith('.ts')) {
    return Promise.resolve(fileURLToPath(new URL('./provider-child.js', import.meta.url)));
  }
  built ??= buildFromSource();
  return built;
}

interface Builder {
  build(options: object): Promise<unknown>;
}

async function buildFromSource(): Promise<string> {
  const require = createRequire(import.meta.url);
  const builder = pathToFileURL(join(require.resolve('vite/package.json'), '../dist/node/index.js')).href;
  const { build }: Builder = await import(/* @vite-ignore */ builder);
  const outDir = mkdtempSync(join(tmpdir(), 'opencashier-child-'));
  await build({
    configFile: fileURLToPath(new URL('../../vite.config.ts', import.meta.url)),
    root: fileURLToPath(new URL('../..', import.meta.url)),
    logLevel: 'error',
    build: {
      outDir,
      rolldownOptions: {
        input: { 'provider-child': fileURLToPath(new URL('./child/provider-child.ts', import.meta.url)) },
      },
    },
  });
  return join(outDir, 'provider-child.js');
}
