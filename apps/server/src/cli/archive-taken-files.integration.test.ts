/** Files that were taken back leave for an archive like others. A file whose lines have left, or that settled such lines, stays. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { whileOnlyArchive } from '../database/archive-partition.ts';
import { findingsOf } from './archive-ledger.fixture.ts';
import { endedFile, type LinesBench, line, openLinesBench, partition } from './archive-lines.fixture.ts';

let bench: LinesBench;
beforeEach(async () => {
  bench = await openLinesBench();
});
afterEach(() => bench.drop());

const fileOf = ({ file }: Record<string, unknown>): string => (file as { fileId: string }).fileId;
const propose = (fileId: string) =>
  bench.run(`settlements take-back propose pk ${fileId} --by maria --reason "a test file"`);
async function takeBack(fileId: string): Promise<void> {
  const [, proposal] = /Proposed as (\S+):/.exec((await propose(fileId)).out) ?? [];
  await bench.done(`settlements take-back confirm pk ${proposal} --by ivan`);
}

test('[SRV-2] the lines of a file that was taken back leave, and settle nothing in the archive', async () => {
  const paid = await bench.business.deposit('ann');
  await takeBack(fileOf(await bench.importLines('wrong.csv', line(paid, '5.00'), line('nobody', '1.00'))));
  await bench.importLines('right.csv', line(paid));
  await bench.endAll();
  await bench.closeDay();
  await bench.makeAllOlder();
  const archived = await bench.archiveNow();
  expect(archived, archived.errors).toMatchObject({ exitCode: 0 });
  expect(await bench.counts()).toEqual({ lines: 0, matches: 0 });
  const sums = await bench.database.query({
    text: `select name, sum(archived.lines)::int as lines from archived_line_sum archived
      join settlement_file file on file.id = file_id group by name order by name`,
  });
  expect(sums).toEqual([
    { name: 'right.csv', lines: 1 },
    { name: 'wrong.csv', lines: 2 },
  ]);
  expect(await bench.database.query({ text: 'select amount::int as amount from archived_match' })).toEqual([
    { amount: 50_000 },
  ]);
  for (const table of ['settlement_line', 'settlement_match']) {
    expect(await bench.done(`archive --verify ${bench.folder}/archive/${partition(table)}.jsonl`)).toContain('agrees');
  }
  expect(await findingsOf(bench.database)).toEqual(['sound', 'sound']);
});

test('[SRV-2] a file whose lines have left stays', async () => {
  await endedFile(bench);
  expect(await bench.archiveNow()).toMatchObject({ exitCode: 0 });
  const { file } = (await bench.importAgain('old.csv')) as { file: { fileId: string } };
  const { exitCode, errors } = await propose(file.fileId);
  expect(exitCode).toBe(1);
  expect(errors).toContain('have left for an archive');
});

test('[SRV-2] a file that ended the mismatch of a line that has left stays', async () => {
  const paid = await bench.business.deposit('ann');
  await bench.importLines('old.csv', line(paid, '490.00', '0'));
  const rest = fileOf(await bench.importLines('rest.csv', line(paid, '10.00', '0')));
  await bench.makeAllOlder(`case file.name when 'rest.csv' then 0 else 19 end`);
  const archived = await bench.archiveNow();
  expect(archived, archived.errors).toMatchObject({ exitCode: 0 });
  expect(await bench.counts()).toEqual({ lines: 1, matches: 1 });
  expect((await propose(rest)).errors).toContain('have left for an archive');
});

describe.runIf(process.env['TEST_DATABASE'] === 'postgres')('while an archive runs', () => {
  test('[SRV-2] no file is taken back, and it is afterwards', async () => {
    const fileId = fileOf(await bench.importLines('wrong.csv', line(await bench.business.deposit('ann'))));
    await whileOnlyArchive(bench.database, async () => {
      expect((await propose(fileId)).errors).toContain('Months leave for an archive');
    });
    await takeBack(fileId);
  });
});
