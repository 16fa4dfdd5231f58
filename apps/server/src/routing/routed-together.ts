/** Which connections may be enabled together, although they cover the same currency. */
import type { RoutedTogether } from '@opencashier/core/connections/connection-for';
import type { Route } from '@opencashier/core/routing/route';

/** The accounts of each route in force. A route in shadow mode chooses nothing, so it allows nothing. */
export function routedTogether(routes: readonly Route[]): RoutedTogether[] {
  return routes.filter(({ isShadow }) => !isShadow).map(({ candidates }) => new Set(candidates.map(({ key }) => key)));
}
