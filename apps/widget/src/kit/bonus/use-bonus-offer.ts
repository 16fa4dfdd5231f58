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

/** The bonus beside one deposit, as it stands on the screen. */
export interface BonusView {
  readonly bonus: Bonus;
  readonly isEnabled: boolean;
  readonly isRestricted: boolean;
  readonly standing: BonusEligibility;
  /** What it gives for this amount; undefined when it gives no money or not yet. */
  readonly gain: Money | undefined;
}

export interface BonusOffer {
  /** Undefined where the host offers none. */
  readonly view: BonusView | undefined;
  /** A bonus went while the person was about to use it: say so, and wait for another press (BON-2). */
  readonly hasEnded: boolean;
  setEnabled(isEnabled: boolean): void;
  /** The create call's word on the bonus, decided at the tap. `ask-again`: nothing is sent. */
  atTap(): BonusForCreate;
  /** The server refused the bonus as ended. */
  end(): void;
}

/**
 * The chosen bonus and what it gives for an amount (BON-2, BON-3). While the deposit is being created nothing moves: the bonus
 * of the tap stays on the screen, whatever ends meanwhile.
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
    // What has ended is the shelf's to say, each second: else any redraw, such as that of a blur under the finger, would
    // take the bonus away without a word.
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
