import type { Bonus } from '@opencashier/contract/api';
import { bonusEndsAt } from '@opencashier/core/bonus/bonus';
import { useEffect, useState } from 'react';
import { useServices, useStore } from '../session/services.tsx';
import { BONUS_CHECK_MS, type BonusShelfState, bonusShelfOf } from './bonus-shelf.ts';

export function useBonusShelf(): BonusShelfState {
  return useStore(bonusShelfOf(useServices()));
}

/** Milliseconds until a bonus ends, by the server's clock and updated each second (BON-1). Undefined for a bonus without an end. */
export function useBonusRemaining(bonus: Pick<Bonus, 'mustAccruedBefore'>): number | undefined {
  const { api, clock } = useServices();
  const [now, setNow] = useState(() => clock.now() + api.serverOffsetMs());
  const endsAt = bonusEndsAt(bonus);
  const hasEnd = endsAt !== undefined;
  useEffect(() => {
    if (!hasEnd) return;
    return clock.setRepeating(() => setNow(clock.now() + api.serverOffsetMs()), BONUS_CHECK_MS);
  }, [api, clock, hasEnd]);
  return endsAt === undefined ? undefined : Math.max(0, endsAt - now);
}
