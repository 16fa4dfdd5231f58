/** A dry run of a bank statement before the settlement file of its provider is imported (SRV-2). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';

let opened: TestDatabase;
let folder: string;
beforeAll(async () => {
  opened = await openTestDatabase();
  await seedOperator(opened.database);
  folder = mkdtempSync(join(tmpdir(), 'cashier-statement-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await opened.drop();
});

function fileOf(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function run(line: string): Promise<string> {
  const { out, errors, exitCode } = await runCommand(`settlements ${line} --by eve`, {
    // `open` gives the test's own database instead.
    environment: { DATABASE_URL: 'postgres://cashier@database.example/cashier' },
    open: keptOpen(opened.database),
  });
  expect(errors).toBe('');
  expect(exitCode).toBe(0);
  return out;
}

test('[SRV-2] a dry run of a statement says that sums of a file that is not imported yet are missing', async () => {
  const bank = fileOf('bank.json', JSON.stringify({ format: 'mt940', only: ['fake'] }));
  await run(`set-mapping pk mybank sta ${bank}`);
  const columns = { reference: 'id', amount: 'amount', date: 'date', batch: 'batch' };
  const fake = fileOf('fake.json', JSON.stringify({ format: 'csv', columns, currency: 'EUR', kind: 'payment' }));
  await run(`set-mapping pk fake all ${fake}`);
  const statement = fileOf(
    'bank.sta',
    ':20:X\n:25:X\n:60F:C230201EUR0,00\n:61:230201C5,00NTRFNONREF\n:86:FAKE payout po_77\n:62F:C230201EUR5,00\n',
  );
  const tried = () => run(`import pk ${statement} --provider mybank --mapping sta --dry-run`);
  const hint =
    'A bank statement has the sums of settlement files. Import the files of its providers first: until then, their sums count as missing-here.';
  expect(await tried()).toContain(`missing-here: 1\n${hint}\n`);
  const payout = fileOf('payout.csv', 'id,amount,date,batch\nunknown-1,5.00,2023-02-01,po_77\n');
  await run(`import pk ${payout} --provider fake --mapping all`);
  const after = await tried();
  expect(after).toContain('1 line compared: 1 would match.');
  expect(after).not.toContain(hint);
});
