import type { Bonus, PaymentMethod } from '@opencashier/contract/api';
import {
  type BonusEligibility,
  type BonusForCreate,
  bonusEligibility,
  bonusForCreate,
} from '@opencashier/core/bonus/bonus';
import { bonusAmount } from '@opencashier/core/bonus/bonus-amount';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { type Money, parseDecimal } from '@opencashier/core/money/money';
import { useRef, useState } from 'react';
import { useServices } from '../session/services.tsx';
import { bonusShelfOf } from './bonus-shelf.ts';
import { useBonusShelf } from './use-bonus-shelf.ts';

/** The bonus of one deposit, as the screen shows it. */
export interface BonusView {
  readonly bonus: Bonus;
  readonly isEnabled: boolean;
  readonly isRestricted: boolean;
  readonly standing: BonusEligibility;
  /** The gain for this amount; undefined when the bonus gives no money, or does not apply yet. */
  readonly gain: Money | undefined;
}

export interface BonusOffer {
  /** Undefined where the host offers none. */
  readonly view: BonusView | undefined;
  /** The bonus ended before the press. The screen says so, and the user must press again (BON-2). */
  readonly hasEnded: boolean;
  setEnabled(isEnabled: boolean): void;
  /** What the create call says about the bonus, decided at the press. `ask-again`: nothing is sent. */
  atTap(): BonusForCreate;
  /** The server refused the bonus as ended. */
  end(): void;
}

/**
 * The chosen bonus and what it gives for an amount (BON-2, BON-3). While the deposit is being created, the bonus of the press
 * stays on the screen, even if it ends meanwhile.
 * @param amount canonical decimal string in the session's currency
 */
export function useBonusOffer(
  method: Pick<PaymentMethod, 'flags'>,
  amount: string | undefined,
  currency: string,
  isBusy: boolean,
): BonusOffer {
  const services = useServices();
  const shelf = useBonusShelf();
  const store = bonusShelfOf(services);
  const [hasEnded, setHasEnded] = useState(false);
  const atTap = useRef<BonusView | undefined>(undefined);
  const isRestricted = method.flags.bonusRestricted === true;
  const money = moneyOf(amount, currency);
  const now = () => services.clock.now() + services.api.serverOffsetMs();

  const viewOf = ({ bonuses, activeId, isEnabled }: typeof shelf): BonusView | undefined => {
    const bonus = bonuses.find(({ id }) => id === activeId);
    if (bonus === undefined) return undefined;
    // Only the shelf decides, each second, whether a bonus has ended. Otherwise a redraw, such as on blur, would remove the bonus
    // without a notice.
    const standing = bonusEligibility({ bonus, isEnabled, isRestricted, amount: money, now: Number.MIN_SAFE_INTEGER });
    return { bonus, isEnabled, isRestricted, standing, gain: money && bonusAmount(bonus, money) };
  };
  const current = viewOf(shelf);
  const view = isBusy ? (atTap.current ?? current) : current;
  return {
    view,
    hasEnded,
    setEnabled(isEnabled) {
      setHasEnded(false);
      store.setEnabled(isEnabled);
    },
    atTap() {
      const shown = view?.standing.isActivated === true ? view.bonus.id : undefined;
      store.check();
      const { bonuses, activeId, isEnabled } = store.getState();
      const bonus = bonuses.find(({ id }) => id === activeId);
      const choice = bonusForCreate(shown, { bonus, isEnabled, isRestricted, amount: money, now: now() });
      atTap.current = view;
      setHasEnded(choice.kind === 'ask-again');
      return choice;
    },
    end() {
      const { current: tapped } = atTap;
      if (tapped) store.end(tapped.bonus.id);
      setHasEnded(true);
    },
  };
}

function moneyOf(amount: string | undefined, currency: string): Money | undefined {
  if (amount === undefined) return undefined;
  const parsed = parseDecimal(amount, decimalsOf(currency));
  return parsed.ok ? { currency, minor: parsed.minor } : undefined;
}
