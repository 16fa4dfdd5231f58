/**
 * `npm run dev`: shows a changed source of the widget in the open page. Builds the other programs again whenever a source changes,
 * and restarts the program whose build changed.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build, buildable } from './build.mjs';
import { ensureInstalled } from './machine/install.mjs';
import { root } from './machine/paths.mjs';
import { toolEnvironment } from './machine/run.mjs';

// Its sources are served without a build (machine/widget-server.mjs).
const unbuilt = 'apps/widget';

await ensureInstalled();
await build({ except: [unbuilt] });

// A build script consists of `vite build …` commands, and each of them can watch.
const watchers = buildable()
  .filter(({ name }) => name !== unbuilt)
  .flatMap(({ name, script }) =>
    script
      .split('&&')
      .map((command) => command.trim())
      .filter((command) => command.startsWith('vite build'))
      .map((command) => {
        const [tool, ...args] = command.split(/\s+/);
        return spawn(tool, [...args, '--watch', '--clearScreen=false', '--logLevel=warn'], {
          cwd: join(root, name),
          env: toolEnvironment(),
          stdio: ['ignore', 'inherit', 'inherit'],
        });
      }),
  );
process.on('exit', () => {
  for (const watcher of watchers) watcher.kill();
});

process.argv.push('--watch');
await import('./start.mjs');
