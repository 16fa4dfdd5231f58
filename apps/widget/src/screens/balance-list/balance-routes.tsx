/** Combines other screens with a balance. It is done here, so that a product stays a plain list of screens (CRY-3). */
import type { MethodList } from '@opencashier/contract/api';
import { isCrypto } from '@opencashier/core/money/currencies';
import { type BalanceKind, useCurrencyOfKind } from '../../kit/balance/balance-currency.ts';
import { findMethod, useMethodList } from '../../kit/method/method-list.ts';
import type { LoadScreen, Screen, ScreenProps, ScreenSource } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import type { BalanceListParts } from './balance-list.tsx';

const load = (source: ScreenSource): Promise<{ readonly Screen: Screen }> =>
  typeof source === 'function' ? source() : Promise.resolve(source);

/** The balance, and below it the list for the chosen kind of money. */
export function balanceList({
  fiat,
  crypto,
  addresses,
}: Readonly<Record<BalanceKind, ScreenSource>> & Pick<BalanceListParts, 'addresses'>): LoadScreen {
  return async () => {
    const [{ BalanceList }, ofFiat, ofCrypto] = await Promise.all([
      import('./balance-list.tsx'),
      load(fiat),
      load(crypto),
    ]);
    const lists = { fiat: ofFiat.Screen, crypto: ofCrypto.Screen };
    // biome-ignore lint/correctness/noComponentHookFactories: made once for each route, when its file is there
    return { Screen: (props) => <BalanceList {...props} lists={lists} addresses={addresses} /> };
  };
}

/** A screen for one kind of money. It switches a session of the other kind to the last choice of this kind. */
export function inKind(kind: BalanceKind, source: ScreenSource): LoadScreen {
  return async () => {
    const { Screen: Inner } = await load(source);
    // biome-ignore lint/correctness/noComponentHookFactories: made once for each route, when its file is there
    return { Screen: (props) => <InKind kind={kind} inner={Inner} screen={props} /> };
  };
}

interface InKindProps {
  readonly kind: BalanceKind;
  readonly inner: Screen;
  readonly screen: ScreenProps;
}

function InKind({ kind, inner: Inner, screen }: InKindProps) {
  const { direction } = usePlace();
  const state = useMethodList(direction);
  const coins = state.at === 'ready' ? coinsOf(state.list, screen.params['method']) : [];
  const isReady = useCurrencyOfKind(kind, kind === 'crypto' ? coins : undefined) !== undefined;
  return isReady ? <Inner {...screen} /> : null;
}

/** The coins of a method. A payment by the method credits only its own coin. */
function coinsOf(list: MethodList, name: string | undefined): readonly string[] {
  return Object.keys(findMethod(list, name)?.amount_rules ?? {}).filter(isCrypto);
}
