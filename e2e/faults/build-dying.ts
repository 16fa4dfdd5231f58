/** Builds the server that dies, before the first file of a run. Files that run side by side share the build. */
import { fileURLToPath } from 'node:url';
import { run } from '../../scripts/machine/run.mjs';

let built: Promise<void> | undefined;

export function setup(): Promise<void> {
  built ??= build();
  return built;
}

async function build(): Promise<void> {
  const cwd = fileURLToPath(new URL('../../apps/server/', import.meta.url));
  const { ok, output } = await run('vite', ['build', '--config', 'vite.faults.config.ts'], { cwd });
  if (!ok) throw new Error(output);
}
