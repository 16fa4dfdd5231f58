/**
 * The methods that rules of an operator name (SRV-1). A rule about a misspelt method would never apply, and nobody would notice: a
 * withdrawal would need no code, or a user no limit.
 */
import type { Queryable } from '../database/database.ts';
import { invalidFields } from '../errors/domain-error.ts';
import { suggestion } from '../errors/similar-name.ts';
import type { MethodEntry } from './catalogue-file.ts';
import { startedMethods } from './own/defined-catalogue.ts';
import { readSettings } from './settings-store.ts';
import type { ShippedCatalogue } from './shipped-catalogue.ts';

type Direction = 'deposit' | 'withdrawal';

/** A rule, by the place of its method in the request, such as `limits.0.paymentMethod`. */
export interface NamedMethod {
  readonly path: string;
  /** Absent: the rule is about every method. */
  readonly method: string | undefined;
  readonly direction: Direction;
  /** The place and the value of the currency of the rule's amounts. Absent: the rule has no amounts. */
  readonly currency?: { readonly path: string; readonly code: string } | undefined;
}

/**
 * Checks the names of methods in rules, and the currencies of their amounts. Methods that the operator has switched off or removed
 * count, because payments by them may be open.
 * @throws DomainError invalid-request that names each method which the catalogue lacks in this direction, and each currency that a method
 * does not take
 */
export async function checkRuleMethods(
  queryable: Queryable,
  shipped: ShippedCatalogue,
  operatorId: string,
  rules: readonly NamedMethod[],
): Promise<void> {
  const named = rules.flatMap(({ method, ...rule }) => (method === undefined ? [] : [{ ...rule, method }]));
  if (named.length === 0) return;
  const { settings } = await readSettings(queryable, operatorId);
  const known = new Map(startedMethods(shipped, settings).map((entry) => [entry.name, entry]));
  const fields = named.flatMap(({ path, method, direction, currency }) => {
    const message = methodFault(known, method, direction);
    if (message !== undefined) return [{ path, message }];
    const taken = Object.keys(known.get(method)?.amount_rules ?? {});
    if (currency === undefined || taken.includes(currency.code)) return [];
    return [{ path: currency.path, message: `${method} does not take ${currency.code}, but ${taken.join(', ')}.` }];
  });
  if (fields.length > 0) throw invalidFields('These rules name methods that they can never apply to.', fields);
}

function methodFault(
  known: ReadonlyMap<string, Pick<MethodEntry, 'directions'>>,
  method: string,
  direction: Direction,
): string | undefined {
  const directions = known.get(method)?.directions;
  if (directions?.includes(direction)) return undefined;
  const fitting = [...known].flatMap(([name, { directions: all }]) => (all.includes(direction) ? [name] : []));
  // Methods of withdrawals are often called as those of deposits, with an ending: card and card_withdrawal. All are named, because a
  // rule about one of two leaves the other without it.
  const counterparts = fitting.filter((name) => name.startsWith(`${method}_`) || method.startsWith(`${name}_`));
  const advice =
    counterparts.length === 0 ? suggestion(method, fitting) : ` Did you mean ${counterparts.join(' or ')}?`;
  return directions === undefined
    ? `The catalogue has no method ${method}.${advice}`
    : `The rule is for ${direction}s, and ${method} has none.${advice}`;
}
