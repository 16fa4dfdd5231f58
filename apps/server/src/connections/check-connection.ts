/** What is wrong with the values of a connection. Messages name forms and never repeat a value. */
import type { ConnectionMode } from '@opencashier/core/connections/connection-for';
import { DomainError, invalidFields } from '../errors/domain-error.ts';
import type { ConnectionKind, ConnectionKinds, ValueForm } from '../providers/connection-kind.ts';

type Values = Readonly<Record<string, string>>;

interface Fault {
  readonly path: string;
  readonly message: string;
}

/** @throws DomainError invalid-request for a provider that has no connections */
export function kindOf(kinds: ConnectionKinds, provider: string): ConnectionKind {
  const kind = kinds.get(provider);
  if (kind !== undefined) return kind;
  const known = [...kinds.keys()].sort().join(', ');
  throw invalidFields('This provider has no connections.', [
    { path: 'provider', message: `Give one of: ${known}. Other providers are set up by the settings of the server.` },
  ]);
}

/**
 * Checks the secrets and the options of a connection.
 * @param values.secrets all secrets that the connection will have
 * @throws DomainError invalid-request naming each wrong value
 */
export function checkValues(
  kind: ConnectionKind,
  { mode, secrets, options }: { readonly mode: ConnectionMode; readonly secrets: Values; readonly options: Values },
): void {
  const faults = [
    ...formFaults('secrets', kind.secrets, secrets),
    ...missing(kind, secrets, 'to-create'),
    ...formFaults('options', kind.options, options),
  ];
  const shown = kind.modeOf(secrets);
  if (faults.length === 0 && shown !== undefined && shown !== mode) {
    faults.push({ path: 'mode', message: `The secrets are those of the ${shown} mode.` });
  }
  if (faults.length > 0) throw invalidFields('The connection is invalid.', faults);
}

/** The secrets that a connection still needs before it can be enabled, by name. */
export function secretsToCome(kind: ConnectionKind, secrets: Readonly<Record<string, unknown>>): string[] {
  return lacking(kind, secrets, 'to-enable').map(([name]) => name);
}

/** @throws DomainError invalid-request naming each secret that the connection still lacks */
export function requireComplete(kind: ConnectionKind, secrets: Readonly<Record<string, unknown>>): void {
  const faults = missing(kind, secrets, 'to-enable');
  if (faults.length > 0) throw invalidFields('The connection cannot be enabled yet.', faults);
}

/** @throws DomainError state-conflict when the installation moves money of the other mode */
export function requireMode(mode: ConnectionMode, ofInstallation: ConnectionMode): void {
  if (mode === ofInstallation) return;
  throw new DomainError(
    'state-conflict',
    mode === 'test'
      ? 'This server moves real money (SANDBOX=0), so a connection of the test mode cannot be enabled: its payments would credit users without money. Test calls work.'
      : 'This server is a sandbox (SANDBOX=1), so a connection of the live mode cannot be enabled. Test calls work.',
  );
}

function formFaults(place: string, forms: Readonly<Record<string, ValueForm>>, values: Values): Fault[] {
  const known = Object.keys(forms).join(', ');
  return Object.entries(values).flatMap(([name, value]): Fault[] => {
    const path = `${place}.${name}`;
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (form === undefined) {
      return [{ path, message: known === '' ? 'Remove it: this provider has none.' : `Unknown. Give only: ${known}.` }];
    }
    return form.form.test(value) ? [] : [{ path, message: `It must be ${form.meaning}.` }];
  });
}

function missing(...asked: Parameters<typeof lacking>): Fault[] {
  return lacking(...asked).map(([name, { meaning }]) => ({
    path: `secrets.${name}`,
    message: `It is required: ${meaning}.`,
  }));
}

function lacking(kind: ConnectionKind, secrets: Readonly<Record<string, unknown>>, since: 'to-create' | 'to-enable') {
  return Object.entries(kind.secrets).filter(([name, { isNeeded }]) => {
    const isDue = isNeeded === 'to-create' || since === 'to-enable';
    return isDue && !Object.hasOwn(secrets, name);
  });
}
