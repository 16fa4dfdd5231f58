import type { SweepstakeBox } from '@opencashier/contract/api';
import { useEffect } from 'react';
import { usePaymentTimer } from '../../kit/payment/use-payment-timer.ts';
import { useAskForBoxes } from '../../kit/sweepstake/boxes.ts';

const DAY_S = 86_400;

/**
 * Milliseconds until the sale of a box ends, by the server's clock. Undefined while the end is more than a day away. At the end
 * the widget asks for the boxes again, because only the server decides which are on sale.
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
