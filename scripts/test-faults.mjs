/**
 * `npm run test:faults`: the fault tests, many rounds of each; `npm test` runs one. FAULT_ROUNDS (default 20) says how many.
 * docs/reliability.md has the last results.
 */
import { build } from './build.mjs';
import { ensureInstalled } from './machine/install.mjs';
import { ensurePostgres } from './machine/postgres.mjs';
import { ensureRedis } from './machine/redis.mjs';
import { run } from './machine/run.mjs';

await ensureInstalled();
await ensurePostgres();
await ensureRedis();
await build();
const { ok } = await run('vitest', ['run', '--project', '*faults'], {
  show: true,
  env: { FAULT_ROUNDS: process.env['FAULT_ROUNDS'] ?? '20' },
});
process.exit(ok ? 0 : 1);
