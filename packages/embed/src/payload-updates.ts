/** Changes of the payload while the cashier is open. The next `loaded` carries them, too. */
import type { HostPayloadInput } from '@opencashier/contract/host';
import type { Opening } from './opening.ts';
import type { Settings } from './options.ts';

export type Bonuses = NonNullable<HostPayloadInput['bonusList']>;
export type Appearance = NonNullable<HostPayloadInput['appearance']>;

/** How asking for bonuses went (HOST-3). */
export interface BonusesResult {
  success: boolean;
  bonusList?: Bonuses;
}

export function updateBonuses(settings: Settings, opening: Opening | undefined, bonusList: Bonuses): void {
  changePayload(settings, { bonusList: structuredClone(bonusList) });
  opening?.post('bonus-list-updated', { bonusList });
}

export function updateAppearance(settings: Settings, opening: Opening | undefined, appearance: Appearance): void {
  changePayload(settings, { appearance });
  opening?.post('appearance-updated', appearance);
}

export function reportBonuses(settings: Settings, opening: Opening | undefined, result: BonusesResult): void {
  opening?.post('bonus-list-fetched', result);
  if (result.success && result.bonusList) changePayload(settings, { bonusList: result.bonusList });
}

function changePayload(settings: Settings, change: Settings['payload']): void {
  settings.payload = { ...settings.payload, ...change };
}
