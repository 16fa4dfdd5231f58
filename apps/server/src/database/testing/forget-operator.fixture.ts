import type { Database } from '../database.ts';

/** Deletes an operator that has no payments, as only the owner of the tables can: its history is kept for ever otherwise. */
export async function forgetOperator(database: Database, operatorId: string): Promise<void> {
  await database.query({ text: 'alter table setting_change disable trigger setting_change_immutable' });
  for (const table of ['setting_change', 'operator_api_key']) {
    await database.query({ text: `delete from ${table} where operator_id = $1`, values: [operatorId] });
  }
  await database.query({ text: 'delete from operator where id = $1', values: [operatorId] });
  await database.query({ text: 'alter table setting_change enable trigger setting_change_immutable' });
}
