/** Who may enter a screen (NAV-3). */
import type { MethodListState } from '../../kit/method/method-list.ts';
import { findGroup, findMethod } from '../../kit/method/method-list.ts';
import type { Product, RouteDefinition } from '../../kit/session/product.ts';

export type GuardVerdict =
  | { readonly kind: 'enter' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'redirect'; readonly to: string };

/**
 * Without a group or method that the catalogue knows, to the product's home. While the catalogue is on its way the answer
 * is not known: a reload of a deep address must not be sent away (NAV-7). A catalogue that cannot be had is the list's
 * affair, which shows why.
 */
export function guardRoute(
  product: Pick<Product, 'home'>,
  route: Pick<RouteDefinition, 'needs'>,
  params: Readonly<Record<string, string>>,
  catalogue: MethodListState,
): GuardVerdict {
  if (route.needs === undefined) return { kind: 'enter' };
  const home: GuardVerdict = { kind: 'redirect', to: product.home };
  if (params[route.needs] === undefined) return home;
  if (catalogue.at === 'loading') return { kind: 'wait' };
  if (catalogue.at === 'failed') return home;
  const { list } = catalogue;
  const method = findMethod(list, params['method']);
  const isChosen =
    route.needs === 'group'
      ? findGroup(list, params['group']) !== undefined
      : method !== undefined && method.disabledReason === undefined;
  return isChosen ? { kind: 'enter' } : home;
}
