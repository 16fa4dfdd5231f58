/**
 * A process that opens an embedded database, writes rows and acknowledges them. It writes checkpoints meanwhile. The test kills it.
 * Run by tsx.
 */
import { systemClock } from '@opencashier/core/time/clock';
import { openEmbedded } from './open-embedded.ts';

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error('name the data folder');
const ignore = (): void => undefined;
const database = await openEmbedded({
  dataDir,
  logger: { info: ignore, error: ignore },
  // A checkpoint after every few rows, so that the test kills some of them half-way.
  clock: { ...systemClock, setRepeating: (run) => systemClock.setRepeating(run, 5) },
  mostLogBytes: 20_000,
});
await database.query({ text: 'create table if not exists written (n int primary key)' });
process.stdout.write('open\n');
for (let n = 1; ; n += 1) {
  await database.query({ text: 'insert into written values ($1)', values: [n] });
  process.stdout.write(`${n}\n`);
}
