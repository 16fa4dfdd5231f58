/** Months of settlement lines leave the database while another connection works. The embedded database has only one. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { auditLedger, inAuditSnapshot } from '../ledger/ledger-audit.ts';
import { endedFile, type LinesBench, line, openLinesBench } from './archive-lines.fixture.ts';

describe.runIf(process.env['TEST_DATABASE'] === 'postgres')('[SRV-2] while another connection works', () => {
  let bench: LinesBench;
  beforeEach(async () => {
    bench = await openLinesBench();
  });
  afterEach(() => bench.drop());

  test('a month stays until an audit has ended, and the audit is sound', async () => {
    await bench.importLines(
      'old.csv',
      line(await bench.business.deposit('ann'), '500.00', '0'),
      line('nobody', '1.00', '0'),
    );
    await bench.makeAllOlder();
    // The ledger leaves first.
    expect(await bench.archiveNow()).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining('has open mismatches'),
    });
    await bench.endAll();
    const [answer, audit] = await inAuditSnapshot(bench.database, async (transaction) => {
      await transaction.query({ text: 'select 1 from operator' });
      return [await bench.archiveNow(), await auditLedger(transaction)] as const;
    });
    expect(answer).toMatchObject({ exitCode: 1, errors: expect.stringContaining('its table is in use') });
    expect(audit.faults).toEqual([]);
    expect(await bench.archiveNow()).toMatchObject({ exitCode: 0 });
  });

  test('an operator can be changed while what was settled of its payments is being kept', async () => {
    await endedFile(bench);
    const locked: string[] = [];
    const watched: Database = {
      ...bench.database,
      transaction: (work) =>
        bench.database.transaction((inner) =>
          work({
            isTransaction: true,
            query: async (statement) => {
              const rows = await inner.query<never>(statement);
              if (!statement.text.includes('insert into archived_match')) return rows;
              const text = `select id from operator where id = 'op' for update nowait`;
              locked.push(await bench.database.query({ text }).then(() => 'free', String));
              return rows;
            },
          }),
        ),
    };
    expect(await bench.archiveNow(watched)).toMatchObject({ exitCode: 0 });
    expect(locked).toEqual(['free']);
  });
});
