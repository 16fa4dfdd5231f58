/** The only function that changes operators' bonuses, for the API and the command line (SRV-1). */
import { isDeepStrictEqual } from 'node:util';
import type { OwnBonus } from '@opencashier/contract/operator';
import { catalogueDifferences, type Difference } from '../catalogue/own/catalogue-differences.ts';
import type { Database } from '../database/database.ts';
import { DomainError, invalidFields } from '../errors/domain-error.ts';
import { bonusesById, type NewBonuses, readBonuses, type StoredBonuses, saveBonuses } from './bonus-store.ts';
import { checkBonuses } from './check-bonuses.ts';

/**
 * Replaces all bonuses of an operator. A repeat of the last change is answered as the change was.
 * @throws DomainError invalid-request naming each wrong field; state-conflict after another change in the meantime
 */
export async function changeBonuses(
  database: Database,
  operatorId: string,
  change: NewBonuses,
): Promise<StoredBonuses> {
  const fields = checkBonuses(change.bonuses);
  if (fields.length > 0) throw invalidFields('These bonuses are invalid.', fields);
  const isSaved = await saveBonuses(database, operatorId, change);
  const now = await readBonuses(database, operatorId);
  if (isSaved || isRepeat(now, change)) return now;
  const by = now.changed === undefined ? '' : `, by ${now.changed.staff}`;
  throw new DomainError(
    'state-conflict',
    `The bonuses have changed since version ${change.version}. They now have version ${now.version}${by}. Read them again, then repeat the change.`,
    { params: { version: String(now.version) } },
  );
}

/** The caller repeats a change whose answer got lost. It must not get a conflict with itself. */
function isRepeat({ version, changed, bonuses }: StoredBonuses, change: NewBonuses): boolean {
  const isNext = version === change.version + 1 && changed?.staff === change.staff;
  return isNext && isDeepStrictEqual(bonuses, JSON.parse(JSON.stringify(change.bonuses)));
}

/** What a change adds, changes and removes, by the bonus's id: `welcome.depositBonusData.percent`. */
export function bonusDifferences(before: readonly OwnBonus[], after: readonly OwnBonus[]): Difference[] {
  const changes = catalogueDifferences(bonusesById(before), bonusesById(after));
  const kept = (bonuses: readonly OwnBonus[], others: readonly OwnBonus[]) =>
    bonuses.map(({ id }) => id).filter((id) => others.some((other) => other.id === id));
  const [orderBefore, orderAfter] = [kept(before, after), kept(after, before)];
  if (isDeepStrictEqual(orderBefore, orderAfter)) return changes;
  const order = {
    path: 'order',
    kind: 'changed',
    before: orderBefore.join(', '),
    after: orderAfter.join(', '),
  } as const;
  return [...changes, order];
}
