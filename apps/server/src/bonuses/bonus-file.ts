/** The file of an operator's bonuses: YAML, or JSON, which is YAML, too. Its faults have a line and a column. */
import { type OwnBonus, ownBonusesSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { type FileFault, readSettingsFile, writeSettingsFile } from '../catalogue/own/own-file.ts';
import { checkBonuses } from './check-bonuses.ts';

const fileSchema = v.strictObject({
  bonuses: ownBonusesSchema,
  /** `bonuses export` writes it. The file is refused when somebody has changed the bonuses since. */
  baseVersion: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
});

const amountKeys = new Set(['minDeposit', 'maxBonusAmount', 'maxSpinWin']);

/** A file that was read and checked, or all its faults. */
export type BonusFile =
  | { readonly kind: 'read'; readonly bonuses: readonly OwnBonus[]; readonly baseVersion: number | undefined }
  | { readonly kind: 'faults'; readonly faults: readonly FileFault[] };

export function readBonusFile(text: string): BonusFile {
  const read = readSettingsFile(fileSchema, text, amountKeys);
  if (read.kind === 'faults') return read;
  const { bonuses, baseVersion } = read.content;
  const faults = checkBonuses(bonuses).map((issue) => ({ ...issue, ...read.placeOf(issue.path) }));
  return faults.length === 0 ? { kind: 'read', bonuses, baseVersion } : { kind: 'faults', faults };
}

/**
 * Writes bonuses as a file that {@link readBonusFile} reads.
 * @param comment lines above, without `#`
 */
export function writeBonusFile(bonuses: readonly OwnBonus[], baseVersion: number, comment: string): string {
  return writeSettingsFile({ baseVersion, bonuses }, comment);
}
