import type { Transaction } from '../database/database.ts';
import { guards } from './ledger-guards.ts';

const guardedTables = [...new Set(guards.map(({ table }) => table))];

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
  // A partition has triggers of its own for statements that name it. One statement, because there are many tables.
  const names = guardedTables.map((table) => `'${table}'`).join(', ');
  await transaction.query({
    text: `do $$ declare place text; begin
      for place in select unnest(array[${names}]) union all select name from time_partition where parent in (${names}) loop
        execute format('alter table %I ${way} trigger user', place);
      end loop; end $$`,
  });
}
