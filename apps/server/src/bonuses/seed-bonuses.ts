/** Sample bonuses, so that a fresh sandbox has something to offer. */
import { ownBonusesSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import type { Queryable } from '../database/database.ts';
import { byStart } from '../operators/setting-history.ts';
import { seedBonuses } from './bonus-store.ts';
import bonusFile from './data/bonuses.json' with { type: 'json' };

/**
 * Runs at every boot. Once the operator has changed a bonus, its own bonuses stay.
 * @throws ValiError when the file is wrong
 */
export async function seedSandboxBonuses(queryable: Queryable, operatorId: string): Promise<void> {
  await seedBonuses(queryable, operatorId, v.parse(ownBonusesSchema, bonusFile), byStart);
}
