import type { ComponentProps } from 'react';
import { CurrencyIcon } from '../format/currency-icon.tsx';
import { MethodHead } from './method-head.tsx';

interface CoinHeadProps extends Omit<ComponentProps<typeof MethodHead>, 'drawing'> {
  /** The coin of the method, if it has one. */
  readonly coin: string | undefined;
}

/** The head of a method whose mark is the drawing of its coin. */
export function CoinHead({ coin, ...head }: CoinHeadProps) {
  if (coin === undefined) return <MethodHead {...head} />;
  return <MethodHead {...head} drawing={(mark) => <CurrencyIcon currency={coin}>{mark}</CurrencyIcon>} />;
}
