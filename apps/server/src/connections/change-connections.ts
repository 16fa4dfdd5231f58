/** The only functions that change connections, for the operator API and the command line (SRV-4). */
import { randomUUID } from 'node:crypto';
import type { ConnectionChange, NewConnection, NewSecrets } from '@opencashier/contract/operator';
import { type ConnectionMode, overlapping, type RoutedTogether } from '@opencashier/core/connections/connection-for';
import type { Clock } from '@opencashier/core/time/clock';
import type { Database, Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { type Actor, recordSettingChange } from '../operators/setting-history.ts';
import type { AccountTest, ConnectionKinds } from '../providers/connection-kind.ts';
import { readRoutes } from '../routing/policy-store.ts';
import { routedTogether } from '../routing/routed-together.ts';
import type { MasterKeys } from '../sealing/master-keys.ts';
import { checkValues, kindOf, requireComplete, requireMode } from './check-connection.ts';
import {
  accountOf,
  openSecrets,
  type SecretContent,
  sealSecrets,
  shownOf,
  validOldSecrets,
} from './connection-secrets.ts';
import {
  type ConnectionRow,
  insertConnection,
  lockConnections,
  readConnection,
  saveConnection,
} from './connection-store.ts';
import { recordedConnection } from './connection-view.ts';

export interface ConnectionPorts {
  readonly database: Database;
  readonly kinds: ConnectionKinds;
  readonly masterKeys: MasterKeys;
  /** `test` in a sandbox: connections of the other mode cannot be enabled. */
  readonly mode: ConnectionMode;
  readonly clock: Pick<Clock, 'now'>;
}

/** More than an operator needs. Each costs every node a little memory. */
const MOST_CONNECTIONS = 100;
const HOUR_MS = 3_600_000;

type Asked<Body> = Omit<Body, 'staff'>;

/**
 * Adds a connection, switched off.
 * @throws DomainError invalid-request; state-conflict for a name that is taken, too many connections, or without a master key
 */
export async function createConnection(
  { database, kinds, masterKeys, clock }: ConnectionPorts,
  operatorId: string,
  actor: Actor,
  { provider, name, mode, currencies, options, secrets }: Asked<NewConnection>,
): Promise<ConnectionRow> {
  checkValues(kindOf(kinds, provider), { mode, secrets, options });
  const id = randomUUID();
  const sealed = await sealSecrets(masterKeys, { operatorId, id }, { secrets });
  const at = new Date(clock.now()).toISOString();
  const shown = Object.fromEntries(Object.entries(secrets).map(([key, secret]) => [key, shownOf(secret, at)]));
  return named(name, () =>
    database.transaction(async (transaction) => {
      const known = await lockConnections(transaction, operatorId);
      if (known.length >= MOST_CONNECTIONS) {
        throw new DomainError('state-conflict', `An operator has at most ${MOST_CONNECTIONS} connections.`);
      }
      const row = { operatorId, id, provider, name, mode, currencies, options, shown, ...sealed };
      const made = await insertConnection(transaction, row);
      await record(transaction, actor, undefined, made);
      return made;
    }),
  );
}

/**
 * Changes what is no secret, and switches a connection on or off.
 * @throws DomainError not-found, invalid-request, state-conflict
 */
export async function updateConnection(
  { database, kinds, mode }: ConnectionPorts,
  operatorId: string,
  id: string,
  actor: Actor,
  change: Asked<ConnectionChange>,
): Promise<ConnectionRow> {
  return named(change.name ?? '', () =>
    database.transaction(async (transaction) => {
      const all = await lockConnections(transaction, operatorId);
      const before = all.find((row) => row.id === id) ?? missing();
      const { isEnabled = before.isEnabled, options = before.options, name = before.name } = change;
      const currencies = change.currencies === undefined ? before.currencies : change.currencies;
      const wanted: ConnectionRow = { ...before, name, options, currencies, isEnabled };
      const kind = kindOf(kinds, before.provider);
      if (change.options !== undefined) checkOptions(kinds, wanted);
      if (isEnabled) {
        if (!before.isEnabled) requireMode(before.mode, mode);
        requireComplete(kind, before.shown);
        requireAlone(all, wanted, routedTogether((await readRoutes(transaction, operatorId)).routes));
      }
      const after = (await saveConnection(transaction, wanted)) ?? changedMeanwhile();
      await record(transaction, actor, before, after);
      return after;
    }),
  );
}

/**
 * Replaces secrets. The former ones stay valid for callbacks for some hours. Those of other names keep the time that they have.
 * @throws DomainError not-found, invalid-request, state-conflict
 */
export async function rotateSecrets(
  ports: ConnectionPorts,
  operatorId: string,
  id: string,
  actor: Actor,
  { secrets: given, oldSecretsHours }: Asked<NewSecrets>,
): Promise<ConnectionRow> {
  const { database, kinds, masterKeys, clock } = ports;
  const before = await connectionOf(database, operatorId, id);
  const content = await openSecrets(masterKeys, before);
  const secrets = { ...content.secrets, ...given };
  checkValues(kindOf(kinds, before.provider), { mode: before.mode, secrets, options: before.options });
  const now = clock.now();
  const kept = oldSecretsHours > 0 ? keptSecrets(before, content, given, now, oldSecretsHours) : undefined;
  const sealed = await sealSecrets(masterKeys, before, { secrets, ...kept });
  const at = new Date(now).toISOString();
  const shown = { ...before.shown };
  for (const [name, secret] of Object.entries(given)) shown[name] = shownOf(secret, at);
  const wanted: ConnectionRow = {
    ...before,
    ...sealed,
    shown,
    oldSecretsUntil: kept === undefined ? null : new Date(Math.max(...Object.values(kept.oldUntil).map(Date.parse))),
    testedAt: null,
    testResult: null,
  };
  return database.transaction(async (transaction) => {
    await lockConnections(transaction, operatorId);
    const after = (await saveConnection(transaction, wanted)) ?? changedMeanwhile();
    await record(transaction, actor, before, after);
    return after;
  });
}

/** The old secrets after a change of some names. Undefined: there are none, as when all of them were set for the first time. */
function keptSecrets(
  row: ConnectionRow,
  content: SecretContent,
  given: Readonly<Record<string, string>>,
  now: number,
  hours: number,
): Record<'old' | 'oldUntil', Record<string, string>> | undefined {
  const kept = new Map(validOldSecrets(row, content, now));
  for (const name of Object.keys(given)) {
    const secret = content.secrets[name];
    // Also when the same file is sent again, whose answer was lost: the value before it stays valid.
    if (secret !== undefined && secret !== given[name]) kept.set(name, { secret, until: now + hours * HOUR_MS });
  }
  if (kept.size === 0) return undefined;
  const all = [...kept];
  return {
    old: Object.fromEntries(all.map(([name, { secret }]) => [name, secret])),
    oldUntil: Object.fromEntries(all.map(([name, { until }]) => [name, new Date(until).toISOString()])),
  };
}

/**
 * Asks the provider whether it accepts the secrets, and stores the result.
 * @throws DomainError not-found; state-conflict when the secrets cannot be opened
 */
export async function testConnection(ports: ConnectionPorts, operatorId: string, id: string): Promise<AccountTest> {
  const { database, kinds, masterKeys, clock } = ports;
  const row = await connectionOf(database, operatorId, id);
  const kind = kindOf(kinds, row.provider);
  const test = await kind.test(accountOf(row, await openSecrets(masterKeys, row), clock.now()));
  const tested = { ...row, testedAt: new Date(clock.now()), testResult: test.result };
  // After a change in the meantime the result says nothing about the present secrets.
  await database.transaction((transaction) => saveConnection(transaction, tested));
  return test;
}

/** @throws DomainError not-found */
export async function connectionOf(database: Database, operatorId: string, id: string): Promise<ConnectionRow> {
  return (await readConnection(database, operatorId, id)) ?? missing();
}

function missing(): never {
  throw new DomainError('not-found', 'The operator has no such connection.');
}

function changedMeanwhile(): never {
  throw new DomainError('state-conflict', 'The connection was changed in the meantime. Read it again, then repeat.');
}

/** Secrets are not opened for a change of options, so only the options are checked. */
function checkOptions(kinds: ConnectionKinds, { provider, mode, options }: ConnectionRow): void {
  const kind = kindOf(kinds, provider);
  checkValues({ ...kind, secrets: {}, modeOf: () => undefined }, { mode, secrets: {}, options });
}

/** @throws DomainError state-conflict */
function requireAlone(all: readonly ConnectionRow[], wanted: ConnectionRow, routed: readonly RoutedTogether[]): void {
  const other = overlapping(all, wanted, routed);
  if (other === undefined) return;
  throw new DomainError(
    'state-conflict',
    `The connection ${other.name} is enabled and covers a currency of this one. Give both their own currencies, disable ${other.name} first, or name both in a route.`,
    { params: { connection: other.name } },
  );
}

async function named<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (constraintOf(error) !== 'provider_connection_named_once') throw error;
    throw new DomainError('state-conflict', `The operator has a connection with the name ${name} already.`);
  }
}

function record(
  transaction: Transaction,
  { by, keyId }: Actor,
  before: ConnectionRow | undefined,
  after: ConnectionRow,
): Promise<void> {
  return recordSettingChange(transaction, {
    operatorId: after.operatorId,
    setting: `connection ${after.id}`,
    by,
    keyId,
    before: before && recordedConnection(before),
    after: recordedConnection(after),
  });
}
