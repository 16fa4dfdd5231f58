import type { SweepstakeBox } from '@opencashier/contract/api';
import { useEffect } from 'react';
import { usePaymentTimer } from '../../kit/payment/use-payment-timer.ts';
import { useAskForBoxes } from '../../kit/sweepstake/boxes.ts';

const DAY_S = 86_400;

/**
 * Milliseconds until a box is taken off sale, by the server's clock; undefined while that is more than a day away. At its end
 * the boxes are asked for again: the server alone says which are on sale.
 */
export function useBoxEnd({ availableUntil }: Pick<SweepstakeBox, 'availableUntil'>): number | undefined {
  const ask = useAskForBoxes();
  const until = Date.parse(availableUntil ?? '');
  const lastDay = Number.isNaN(until) ? undefined : new Date(until - DAY_S * 1000).toISOString();
  const timer = usePaymentTimer(lastDay, DAY_S);
  const isOver = timer?.expired === true;
  useEffect(() => {
    if (isOver) ask();
  }, [isOver, ask]);
  return timer === undefined || timer.fraction === 1 ? undefined : timer.remainingMs;
}
