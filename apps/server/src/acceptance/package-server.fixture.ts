/** A whole server with a provider package of this repository, installed as from its archive, and with the methods of the package. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RefundView } from '@opencashier/contract/operator';
import type { RawCallback } from '@opencashier/provider-kit';
import { expect, vi } from 'vitest';
import { readOwnFile } from '../catalogue/own/own-file.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { createProviderHome, installProvider } from '../provider-processes/testing/provider-home.ts';
import { callbacksAreApplied } from '../transports/testing/person.ts';
import { appOperatorKey, type RunningApp, startApp } from '../transports/testing/running-app.ts';

export interface PackageServer {
  readonly running: RunningApp;
  /** A call of the operator's API. */
  operator(method: string, path: string, body: object): Promise<Response>;
  /** Asks for a refund. A repeat refunds nothing, and says where the refund is. */
  refund(depositId: string, refundId: string): Promise<RefundView['state']>;
  /** Waits for the end of a refund. The user's balance falls when it begins, so it says nothing about the end. */
  isRefunded(depositId: string, refundId: string): Promise<void>;
  /** What each report of a chargeback took from a deposit, once every webhook is applied. `null`: nothing was left. */
  chargebacksOf(depositId: string): Promise<(bigint | null)[]>;
  /**
   * Sends a webhook as the company does.
   * @param path absent: the address of the installation's account
   * @returns the status
   */
  callBack(callback: RawCallback, path?: string): Promise<number>;
  /** Also checks that the ledger is sound, and that no secret is in the log. */
  stop(): Promise<void>;
}

/** The widget of the tests has no such icon. */
const card =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="#123"/></svg>';

/** @param name of the provider; the package is `@opencashier/provider-<name>` */
export async function startWithPackage(
  name: string,
  of: {
    /** The address of the company's stand-in. */
    readonly apiUrl: string;
    readonly settings?: Readonly<Record<string, string>>;
    readonly secrets: Readonly<Record<string, string>>;
    /** Addresses of further accounts. */
    readonly otherUrls?: readonly string[];
    readonly environment?: Readonly<Record<string, string>>;
  },
): Promise<PackageServer> {
  const folder = `provider-${name}`;
  const keys = Object.entries(of.secrets).map(
    ([secret, value]) => [secret, `PROVIDER_KEY_${secret.toUpperCase()}`, value] as const,
  );
  const home = createProviderHome({
    [name]: {
      package: `@opencashier/${folder}`,
      hosts: [of.apiUrl, ...(of.otherUrls ?? [])].map((url) => new URL(url).host),
      settings: { apiUrl: of.apiUrl, ...of.settings },
      secrets: Object.fromEntries(keys.map(([secret, key]) => [secret, `$${key}`])),
    },
  });
  await installProvider(home, folder);
  const running = await startApp({
    ...of.environment,
    PROVIDERS_FILE: home.file,
    ...Object.fromEntries(keys.map(([_secret, key, value]) => [key, value])),
  });
  const operator: PackageServer['operator'] = (method, path, body) =>
    fetch(`${running.url}/operator/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${appOperatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const methods = readFileSync(join(home.folder, 'node_modules/@opencashier', folder, 'methods.yaml'), 'utf8');
  const file = readOwnFile(methods);
  if (file.kind === 'faults') throw new Error(JSON.stringify(file.faults));
  const set = await operator('PUT', '/catalogue', { ...file.catalogue, icons: { card }, version: 0, staff: 'eve' });
  if (!set.ok) throw new Error(await set.text());
  const refund: PackageServer['refund'] = async (depositId, refundId) => {
    const answer = await operator('POST', `/transactions/${depositId}/refund`, { refundId, staff: 'eve' });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as RefundView).state;
  };
  return {
    running,
    operator,
    refund,
    isRefunded: (depositId, refundId) =>
      vi.waitFor(async () => expect(await refund(depositId, refundId)).toBe('refunded'), { timeout: 20_000 }),
    async chargebacksOf(depositId) {
      await callbacksAreApplied(running);
      const rows = await running.database.query<{ amount: bigint | null }>({
        text: `select amount from deposit_event event left join dispute using (provider, event_id)
          where event.deposit_id = $1 and reported = 'reversed'`,
        values: [depositId],
      });
      return rows.map(({ amount }) => amount);
    },
    async callBack({ headers, rawBody }, path = `/providers/${name}/callbacks`) {
      const sent = { ...(headers as Record<string, string>), 'content-type': 'application/json' };
      return (await fetch(`${running.url}${path}`, { method: 'POST', headers: sent, body: new Uint8Array(rawBody) }))
        .status;
    },
    async stop() {
      expect((await auditLedger(running.database)).isSound).toBe(true);
      await running.stop();
      home.remove();
      const log = running.log.join('\n');
      for (const secret of Object.values(of.secrets)) expect(log).not.toContain(secret);
    },
  };
}
