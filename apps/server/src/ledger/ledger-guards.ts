/** The triggers with which the database protects its rows (SRV-2). The audit reports a missing trigger. */
import { schema } from '../database/schema-files.ts';
import { triggersOf } from '../database/schema-triggers.ts';

/** Every trigger that the schema of this build creates: so a new table is watched as soon as it has a guard. */
export const guards = triggersOf(schema);
