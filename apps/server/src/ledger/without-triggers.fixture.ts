import type { Transaction } from '../database/database.ts';
import { AUDIT_GUARDS, LEDGER_GUARDS } from './ledger-guards.ts';

const tables = Object.keys({ ...LEDGER_GUARDS, ...AUDIT_GUARDS });

/** Runs statements as the owner of the tables, with the triggers off, and leaves no trace of that. */
export async function withoutTriggers(transaction: Transaction, statements: readonly string[]): Promise<void> {
  await switchTriggersOff(transaction);
  for (const text of statements) await transaction.query({ text });
  await transaction.query({ text: 'set constraints all immediate' });
  for (const table of tables) await transaction.query({ text: `alter table ${table} enable trigger user` });
}

export async function switchTriggersOff(transaction: Transaction): Promise<void> {
  for (const table of tables) await transaction.query({ text: `alter table ${table} disable trigger user` });
}
