import type { Transaction } from '../database/database.ts';
import { AUDIT_GUARDS, LEDGER_GUARDS } from './ledger-guards.ts';

const tables = Object.keys({ ...LEDGER_GUARDS, ...AUDIT_GUARDS });

/** Runs statements as the owner of the tables, with the triggers off, and leaves no trace of that. */
export async function withoutTriggers(transaction: Transaction, statements: readonly string[]): Promise<void> {
  await switchTriggersOff(transaction);
  for (const text of statements) await transaction.query({ text });
  await transaction.query({ text: 'set constraints all immediate' });
  await switchTriggers(transaction, 'enable');
}

export async function switchTriggersOff(transaction: Transaction): Promise<void> {
  await switchTriggers(transaction, 'disable');
}

async function switchTriggers(transaction: Transaction, way: 'enable' | 'disable'): Promise<void> {
  // A partition has triggers of its own for statements that name it.
  const partitions = await transaction.query<{ name: string }>({
    text: 'select name from time_partition where parent = any($1::text[]) order by name',
    values: [tables],
  });
  for (const table of [...tables, ...partitions.map(({ name }) => name)]) {
    await transaction.query({ text: `alter table ${table} ${way} trigger user` });
  }
}
