/** Sample boxes, so that a fresh sandbox has something to sell. */
import * as v from 'valibot';
import type { Queryable } from '../database/database.ts';
import { boxesFileSchema } from './box-schemas.ts';
import { seedBoxes } from './box-store.ts';
import boxesFile from './data/boxes.json' with { type: 'json' };

/**
 * Runs at every boot. A box that the operator has changed stays as it is.
 * @throws ValiError when the file is wrong
 */
export async function seedSandboxBoxes(queryable: Queryable, operatorId: string): Promise<void> {
  await seedBoxes(queryable, operatorId, v.parse(boxesFileSchema, boxesFile));
}
