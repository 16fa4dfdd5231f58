import type { PaymentMethod } from '@opencashier/contract/api';
import type { BonusForCreate } from '@opencashier/core/bonus/bonus';
import { type Ref, useImperativeHandle } from 'react';
import { BonusCard } from './bonus-card.tsx';
import { useBonusOffer } from './use-bonus-offer.ts';

/** What a form asks its bonus. */
export interface BonusPress {
  /** What the create call says about the bonus, decided at the press. `ask-again`: nothing is sent. */
  atTap(): BonusForCreate;
  /** The server refused the bonus as ended. */
  end(): void;
}

interface BonusChoiceProps {
  readonly method: PaymentMethod;
  /** Canonical decimal string of `currency`. */
  readonly amount: string | undefined;
  readonly currency: string;
  readonly isBusy: boolean;
  readonly ref: Ref<BonusPress>;
}

/** The bonus of a form. Only users who have one load it (BON-1 to BON-3). */
export function BonusChoice({ method, amount, currency, isBusy, ref }: BonusChoiceProps) {
  const offer = useBonusOffer(method, amount, currency, isBusy);
  useImperativeHandle(ref, () => ({ atTap: offer.atTap, end: offer.end }));
  return <BonusCard offer={offer} isDisabled={isBusy} />;
}
