/**
 * Which connection to a provider takes a new payment (SRV-4). A connection is an operator's own account at a provider. This function is
 * the only place that chooses.
 */

/** `test`: no real money moves. */
export type ConnectionMode = 'test' | 'live';

/** What the choice needs to know of a connection. */
export interface ConnectionFacts {
  readonly id: string;
  readonly provider: string;
  readonly mode: ConnectionMode;
  /** The currencies that the account takes. Null: every currency. */
  readonly currencies: readonly string[] | null;
  readonly isEnabled: boolean;
  /** True when it was enabled at any time, also if it is disabled now. */
  readonly wasEnabled: boolean;
}

export interface WantedConnection {
  readonly provider: string;
  readonly currency: string;
  /** The mode of the whole installation: `test` in a sandbox. */
  readonly mode: ConnectionMode;
}

/**
 * - `own`: this connection of the operator.
 * - `installation`: the account in the settings of the server, which serves operators that have none of their own.
 * - `none`: the operator has connections of its own, and none of them may take this payment.
 */
export type ChosenConnection<Facts extends ConnectionFacts> =
  | { readonly kind: 'own'; readonly connection: Facts }
  | { readonly kind: 'installation' }
  | { readonly kind: 'none' };

/**
 * Chooses the connection of a new payment whose method has no route, and of each withdrawal. At most one enabled connection covers a
 * provider, a mode and a currency ({@link overlapping}), unless a route names several. Then the first of the list takes the payment.
 * The account of the installation is used until the operator enables its first own connection to the
 * provider, and never after that. Money must not go to another account because the own connection was disabled.
 * @param connections all connections of one operator, the oldest first
 */
export function connectionFor<Facts extends ConnectionFacts>(
  connections: readonly Facts[],
  wanted: WantedConnection,
): ChosenConnection<Facts> {
  const own = connections.filter(({ provider }) => provider === wanted.provider);
  const connection = own.find(
    ({ isEnabled, mode, currencies }) =>
      isEnabled && mode === wanted.mode && (currencies === null || currencies.includes(wanted.currency)),
  );
  if (connection !== undefined) return { kind: 'own', connection };
  return own.some(({ wasEnabled }) => wasEnabled) ? { kind: 'none' } : { kind: 'installation' };
}

/** The ids of connections that one route in force names, so that they may cover the same currency. */
export type RoutedTogether = ReadonlySet<string>;

/**
 * An enabled connection that covers a currency of another one, with the same provider and mode, although no route names both.
 * Undefined: there is none.
 * @param routed a set for each route in force; absent: there are no routes
 */
export function overlapping<Facts extends ConnectionFacts>(
  connections: readonly Facts[],
  wanted: Pick<ConnectionFacts, 'id' | 'provider' | 'mode' | 'currencies'>,
  routed: readonly RoutedTogether[] = [],
): Facts | undefined {
  return connections.find(
    ({ id, provider, mode, currencies, isEnabled }) =>
      isEnabled &&
      id !== wanted.id &&
      provider === wanted.provider &&
      mode === wanted.mode &&
      (currencies === null ||
        wanted.currencies === null ||
        currencies.some((currency) => wanted.currencies?.includes(currency))) &&
      !routed.some((together) => together.has(id) && together.has(wanted.id)),
  );
}

/** Two enabled connections that cover one currency although no route names both. Undefined: there are none. */
export function overlappingPair<Facts extends ConnectionFacts>(
  connections: readonly Facts[],
  routed: readonly RoutedTogether[],
): readonly [Facts, Facts] | undefined {
  for (const one of connections) {
    const other = one.isEnabled ? overlapping(connections, one, routed) : undefined;
    if (other !== undefined) return [one, other];
  }
  return undefined;
}
