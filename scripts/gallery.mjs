/**
 * `npm run gallery`: every component and every state of every screen, on http://localhost:3002 (GALLERY_PORT names another port).
 * `npm run gallery -- --update` takes the pictures anew that the browser tests compare with; `-- --check` compares.
 */
import { ensureChromium } from './machine/chromium.mjs';
import { ensureInstalled } from './machine/install.mjs';
import { run } from './machine/run.mjs';

await ensureInstalled();
const [option] = process.argv.slice(2);
if (option === undefined) {
  const config = ['--config', 'apps/widget/gallery/vite.config.ts'];
  const first = await run('vite', ['build', ...config, '--logLevel', 'warn'], { show: true });
  if (!first.ok) process.exit(1);
  // A built file loads faster than a thousand modules. Reload the browser to see a change.
  await Promise.all([
    run('vite', ['build', ...config, '--watch', '--logLevel', 'warn'], { show: true }),
    run('vite', ['preview', ...config], { show: true }),
  ]);
  process.exit(1);
}
if (option !== '--update' && option !== '--check') {
  console.error('npm run gallery takes nothing, --update or --check.');
  process.exit(2);
}
const env = { CHROMIUM_PATH: await ensureChromium() };
const flags = option === '--update' ? ['--update-snapshots'] : [];
const { ok } = await run('playwright', ['test', 'e2e/visual', ...flags], { show: true, env });
process.exit(ok ? 0 : 1);
