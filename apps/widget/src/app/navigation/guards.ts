/** Who may enter a screen (NAV-3). */
import type { MethodListState } from '../../kit/method/method-list.ts';
import { findGroup, findMethod } from '../../kit/method/method-list.ts';
import type { Product, RouteDefinition } from '../../kit/session/product.ts';

export type GuardVerdict =
  | { readonly kind: 'enter' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'redirect'; readonly to: string };

/**
 * Redirects to the product's home when the catalogue does not know the group or method of the address. Waits while the
 * catalogue is being loaded, so that a reload of a deep address stays there (NAV-7). When loading fails it redirects as well,
 * because the list shows the reason.
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
