/** A connection as the operator API, the command line and the history show it. No secret is in it. */
import type { ConnectionList, ConnectionView } from '@opencashier/contract/operator';
import { connectionFor } from '@opencashier/core/connections/connection-for';
import type { ConnectionRow } from './connection-store.ts';
import { INSTALLATION_ACCOUNT, type QuarantineView } from './quarantine-store.ts';

/** The address that takes the callbacks of a connection. @param publicUrl without a slash at its end */
export function callbackUrlOf(publicUrl: string, { provider, id }: Pick<ConnectionRow, 'provider' | 'id'>): string {
  return `${publicUrl}/providers/${provider}/${id}/callbacks`;
}

export function connectionView(row: ConnectionRow, publicUrl: string, quarantine?: QuarantineView): ConnectionView {
  const { oldSecretsUntil: until, testedAt, testResult } = row;
  return {
    connectionId: row.id,
    name: row.name,
    provider: row.provider,
    mode: row.mode,
    currencies: row.currencies === null ? null : [...row.currencies],
    isEnabled: row.isEnabled,
    options: { ...row.options },
    secrets: Object.entries(row.shown).map(([name, shown]) => ({ name, ...shown })),
    ...(until !== null && { oldSecretsUntil: until.toISOString() }),
    callbackUrl: callbackUrlOf(publicUrl, row),
    ...(testedAt !== null && testResult !== null && { lastTest: { at: testedAt.toISOString(), result: testResult } }),
    ...(quarantine && { quarantine }),
    created: row.createdAt.toISOString(),
    changed: row.updatedAt.toISOString(),
  };
}

/** @param ofSettings names of the providers whose account is in the settings of the server */
export function connectionList(
  rows: readonly ConnectionRow[],
  {
    publicUrl,
    ofSettings,
    quarantineOf,
  }: {
    readonly publicUrl: string;
    readonly ofSettings: readonly string[];
    readonly quarantineOf: (provider: string, account: string) => QuarantineView | undefined;
  },
): ConnectionList {
  return {
    connections: rows.map((row) => connectionView(row, publicUrl, quarantineOf(row.provider, row.id))),
    installation: ofSettings.map((provider) => {
      // Neither the currency nor the mode matters: any connection that was ever enabled ends the use.
      const isUsed = connectionFor(rows, { provider, currency: '', mode: 'live' }).kind === 'installation';
      const quarantine = quarantineOf(provider, INSTALLATION_ACCOUNT);
      return { provider, isUsed, ...(quarantine && { quarantine }) };
    }),
  };
}

/** What the history records of a connection. */
export function recordedConnection({ name, provider, mode, currencies, isEnabled, options, shown }: ConnectionRow) {
  const secrets = Object.entries(shown).map(([secret, { fingerprint, lastFour }]) => [
    secret,
    `…${lastFour} (${fingerprint})`,
  ]);
  return { name, provider, mode, currencies, isEnabled, options, secrets: Object.fromEntries(secrets) };
}
