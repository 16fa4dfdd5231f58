/** Turns routes as operators write them into routes of core, and back. Every fault names its place. */
import type { RouteAccount, RouteSettings, RoutesByMethod } from '@opencashier/contract/operator';
import type { ConnectionFacts, ConnectionMode } from '@opencashier/core/connections/connection-for';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { parseDecimal } from '@opencashier/core/money/money';
import { installationKey, type Route, type RouteCandidate } from '@opencashier/core/routing/route';
import { suggestion } from '../errors/similar-name.ts';

/** A method of an operator that a route can name. */
export interface RoutableMethod {
  readonly provider: string;
  readonly takesDeposits: boolean;
}

export type NamedConnection = ConnectionFacts & { readonly name: string };

/** What the names in routes mean. */
export interface RouteNames {
  readonly connections: readonly NamedConnection[];
  readonly methods: ReadonlyMap<string, RoutableMethod>;
  /** The providers whose account is in the settings of the server. */
  readonly ofSettings: readonly string[];
  readonly mode: ConnectionMode;
}

export interface RouteFault {
  /** Such as `routes.card.accounts.0.connection`. */
  readonly path: string;
  readonly message: string;
}

type Say = (path: string, message: string) => void;

/** All routes, or all faults. */
export function resolveRoutes(
  wanted: RoutesByMethod,
  names: RouteNames,
): { readonly routes: readonly Route[]; readonly faults: readonly RouteFault[] } {
  const faults: RouteFault[] = [];
  const routes = Object.entries(wanted).map(([method, settings]) => {
    const say: Say = (path, message) => faults.push({ path: `routes.${method}${path}`, message });
    checkMethod(method, names, say);
    return resolveRoute(method, settings, names, say);
  });
  return { routes, faults };
}

function checkMethod(method: string, { methods }: RouteNames, say: Say): void {
  const known = methods.get(method);
  if (known === undefined) say('', `The operator has no method ${method}.${suggestion(method, methods.keys())}`);
  else if (!known.takesDeposits) say('', `${method} takes no deposits. Routes are for deposits only.`);
}

function resolveRoute(method: string, { accounts, ...settings }: RouteSettings, names: RouteNames, say: Say): Route {
  const { strategy, exploration, shadow, mostTries, afterDecline } = settings;
  if (exploration > 0 && strategy !== 'success-rate') {
    say('.exploration', 'Only the strategy success-rate explores. Remove it, or set it to 0.');
  }
  if (strategy === 'volume' && accounts.every(({ share }) => share === 0)) {
    say('.accounts', 'At least one account needs a share above 0.');
  }
  const known = new Set<string>();
  const candidates = accounts.flatMap((account, index) => {
    const sayAt: Say = (path, message) => say(`.accounts.${index}${path}`, message);
    checkAmounts(account, sayAt);
    const candidate = resolveAccount(account, index, names, sayAt);
    if (candidate === undefined) return [];
    if (known.has(candidate.key)) sayAt('', 'The route names this account twice.');
    known.add(candidate.key);
    return [candidate];
  });
  return { method, strategy, exploration, isShadow: shadow, mostTries, afterDecline, candidates };
}

function resolveAccount(
  { connection: named, installation, priority, ...rest }: RouteAccount,
  index: number,
  { connections }: RouteNames,
  say: Say,
): RouteCandidate | undefined {
  if ((named === undefined) === (installation === undefined)) {
    say('', 'Give either connection or installation.');
    return undefined;
  }
  const more = { ...present(rest), share: rest.share, priority: priority ?? index + 1 };
  if (installation !== undefined) return { key: installationKey(installation), provider: installation, ...more };
  const found = connections.find(({ id, name }) => name === named || id === named?.toLowerCase());
  if (found !== undefined) return { key: found.id, provider: found.provider, ...more };
  const near = suggestion(
    named ?? '',
    connections.map(({ name }) => name),
  );
  say('.connection', `The operator has no connection ${named}.${near}`);
  return undefined;
}

function checkAmounts({ costs = {}, limits = {}, currencies = [], settles = [] }: RouteAccount, say: Say): void {
  for (const [place, codes] of [
    ['currencies', currencies],
    ['settles', settles],
  ] as const) {
    for (const [index, code] of codes.entries()) checkCurrency(`.${place}.${index}`, code, say);
  }
  for (const [currency, rule] of Object.entries(costs)) {
    if (!checkCurrency(`.costs.${currency}`, currency, say)) continue;
    for (const name of ['fixed', 'min', 'max'] as const)
      minorOf(`.costs.${currency}.${name}`, rule[name], currency, say);
  }
  for (const [currency, { min, max }] of Object.entries(limits)) {
    if (!checkCurrency(`.limits.${currency}`, currency, say)) continue;
    const [least, most] = [min, max].map((text, at) =>
      minorOf(`.limits.${currency}.${at === 0 ? 'min' : 'max'}`, text, currency, say),
    );
    if (least !== undefined && most !== undefined && least > most) {
      say(`.limits.${currency}`, 'min is above max, so no amount would go to the account.');
    }
  }
}

function checkCurrency(path: string, code: string, say: Say): boolean {
  const isKnown = findCurrency(code) !== undefined;
  if (!isKnown) say(path, `The cashier does not know the currency ${code}.`);
  return isKnown;
}

function minorOf(path: string, text: string | undefined, currency: string, say: Say): bigint | undefined {
  if (text === undefined) return undefined;
  const parsed = parseDecimal(text, decimalsOf(currency));
  if (parsed.ok) return parsed.minor;
  say(path, `${text} is no amount of ${currency}, which has ${decimalsOf(currency)} decimals.`);
  return undefined;
}

/** Warnings about routes that are valid but may be a mistake. */
export function warningsOf(routes: readonly Route[], { connections, methods, ofSettings, mode }: RouteNames): string[] {
  return routes.flatMap(({ method, candidates, isShadow }) => {
    const place = `routes.${method}`;
    const known = methods.get(method);
    const warnings = candidates.flatMap(({ key, provider, options }): string[] => {
      const connection = connections.find(({ id }) => id === key);
      const name =
        connection === undefined ? `the installation's account at ${provider}` : `the connection ${connection.name}`;
      const other = known !== undefined && provider !== known.provider && options === undefined;
      return [
        ...(connection === undefined && !ofSettings.includes(provider)
          ? [`${place}: this server has no account at ${provider}, so nothing goes there.`]
          : []),
        ...(connection === undefined && connections.some((own) => own.provider === provider && own.wasEnabled)
          ? [`${place}: the operator has an account of its own at ${provider}, so nothing goes to ${name}.`]
          : []),
        ...(connection !== undefined && !connection.isEnabled && !isShadow ? [`${place}: ${name} is disabled.`] : []),
        ...(connection !== undefined && connection.mode !== mode
          ? [`${place}: ${name} is of the mode ${connection.mode}, and this server uses ${mode}.`]
          : []),
        ...(other
          ? [
              `${place}: ${name} is at ${provider}, and the method is of ${known.provider}. Check its fields, limits and options.`,
            ]
          : []),
      ];
    });
    return known === undefined ? [...warnings, `${place}: the operator has no such method any more.`] : warnings;
  });
}

/** Routes in the form of a request. A connection is named as it is called now. */
export function shownRoutes(routes: readonly Route[], connections: readonly NamedConnection[]): RoutesByMethod {
  return Object.fromEntries(
    routes.map(({ method, isShadow: shadow, candidates, ...settings }) => [
      method,
      { ...settings, shadow, accounts: candidates.map((candidate) => shownAccount(candidate, connections)) },
    ]),
  );
}

function shownAccount(
  { key, provider, ...rest }: RouteCandidate,
  connections: readonly NamedConnection[],
): RouteAccount {
  const account =
    key === installationKey(provider)
      ? { installation: provider }
      : { connection: connections.find(({ id }) => id === key)?.name ?? key };
  // The stored route has the form of the contract, but not its mutable lists.
  return { ...account, ...(structuredClone(rest) as Omit<RouteAccount, 'connection' | 'installation'>) };
}

/** Without fields that are absent. */
function present<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
