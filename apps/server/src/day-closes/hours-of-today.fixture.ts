import type { Database } from '../database/database.ts';

export const today = new Date().toISOString().slice(0, 10);

/** Sets the time of the database to some hours after noon of today. */
export async function setHours(database: Database, hours: number): Promise<void> {
  const ahead = `interval '${Math.round(Date.parse(`${today}T12:00:00Z`) - Date.now())} ms' + interval '${hours} hours'`;
  for (const [name, kind] of [
    ['now', 'stable'],
    ['clock_timestamp', 'volatile'],
  ]) {
    await database.query({
      text: `create or replace function ${name}() returns timestamptz language sql ${kind} parallel safe as $$ select pg_catalog.${name}() + ${ahead} $$`,
    });
  }
}
