/** Changes of the payload, also while the cashier is open. The next `loaded` carries them, too. */

import type { CashierPayload } from './address-facts.ts';
import type { PayloadOf } from './conversation.ts';
import type { HostPayloadInput } from './generated/host-types.ts';

export type Bonuses = NonNullable<HostPayloadInput['bonusList']>;
export type Appearance = NonNullable<HostPayloadInput['appearance']>;

/** How asking for bonuses went (HOST-3). */
export interface BonusesResult {
  success: boolean;
  bonusList?: Bonuses;
}

/** Changes the payload of the next `loaded`, and sends a message to an open cashier. */
export type ChangePayload = <Type extends 'bonus-list-updated' | 'bonus-list-fetched' | 'appearance-updated'>(
  change: CashierPayload,
  messageType: Type,
  message: PayloadOf<Type>,
) => void;

export const payloadUpdates = (change: ChangePayload) => ({
  updateBonuses: (bonusList: Bonuses) =>
    change({ bonusList: structuredClone(bonusList) }, 'bonus-list-updated', { bonusList }),
  updateAppearance: (appearance: Appearance) => change({ appearance }, 'appearance-updated', appearance),
  bonusesFetched: (result: BonusesResult) =>
    change(result.success && result.bonusList ? { bonusList: result.bonusList } : {}, 'bonus-list-fetched', result),
});
