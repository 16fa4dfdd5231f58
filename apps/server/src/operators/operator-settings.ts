/** The settings of an operator's row: read, and changed with a record of each change (SRV-1). */
import {
  type BonusEngineSetting,
  bonusEngineSchema,
  type OperatorSettingsView,
  type SettingsRequest,
  settingsChangeSchema,
  type WalletMode,
} from '@opencashier/contract/operator';
import { findCurrency } from '@opencashier/core/money/currencies';
import { DEFAULT_PLAYTHROUGH } from '@opencashier/core/sweepstake/playthrough';
import * as v from 'valibot';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import { DomainError, invalidFields } from '../errors/domain-error.ts';
import { beginWebhooksAnew } from '../outbox/begin-webhooks-anew.ts';
import { minorOf } from './amount-of-currency.ts';
import { isSeeded } from './api-keys.ts';
import { readCodeRules } from './code-policy.ts';
import { readLimitOverrides } from './limit-overrides.ts';
import { shownAddress } from './manage-operators.ts';
import { type Actor, recordSettingChange } from './setting-history.ts';

export type OperatorSettings = Omit<OperatorSettingsView, 'operator' | 'walletMode' | 'walletUrl' | 'webhooksOffSince'>;
type Change = Omit<SettingsRequest, 'staff'>;

interface SettingsRow {
  readonly operator: string;
  readonly name: string;
  readonly origins: string[];
  readonly webhookUrl: string | null;
  readonly depositsOpen: boolean;
  readonly withdrawalsOpen: boolean;
  readonly isDebugAllowed: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly walletMode: WalletMode;
  readonly walletUrl: string | null;
  readonly offSince: Date | null;
  readonly isSeeded: boolean;
}

/** Reads the settings of an operator. An entry that this build cannot use is left out. */
export async function operatorSettingsOf(queryable: Queryable, operatorId: string): Promise<OperatorSettingsView> {
  const { operator, walletMode, walletUrl, offSince, ...row } = await rowOf(queryable, operatorId, false);
  return {
    operator,
    ...settingsIn(row),
    walletMode,
    ...(walletUrl !== null && { walletUrl: shownAddress(walletUrl) }),
    ...(offSince !== null && { webhooksOffSince: offSince.toISOString() }),
  };
}

async function rowOf(queryable: Queryable, operatorId: string, lock: boolean): Promise<SettingsRow> {
  const [row] = await queryable.query<SettingsRow>({
    text: `select partner_key as operator, name, allowed_origins as origins, webhook_url as "webhookUrl",
        deposits_open as "depositsOpen", withdrawals_open as "withdrawalsOpen", debug_allowed as "isDebugAllowed",
        settings, wallet_mode as "walletMode", wallet_url as "walletUrl", webhook_disabled_at as "offSince", ${isSeeded} as "isSeeded"
      from operator where id = $1 ${lock ? 'for no key update' : ''}`,
    values: [operatorId],
  });
  if (row === undefined) throw new Error(`There is no operator ${operatorId}`);
  return row;
}

const sweepstakeSchema = v.fallback(v.object({ playthrough: settingsChangeSchema.entries.playthrough }), {});

function settingsIn({
  settings,
  ...row
}: Omit<SettingsRow, 'operator' | 'walletMode' | 'walletUrl' | 'offSince' | 'isSeeded'>): OperatorSettings {
  const ignore = (): void => undefined;
  return {
    name: row.name,
    origins: row.origins,
    webhookUrl: row.webhookUrl,
    depositsOpen: row.depositsOpen,
    withdrawalsOpen: row.withdrawalsOpen,
    withdrawalCodes: [...readCodeRules(settings, ignore)],
    depositLimits: [...readLimitOverrides(settings, ignore)],
    playthrough: v.parse(sweepstakeSchema, settings['sweepstake'] ?? {}).playthrough ?? DEFAULT_PLAYTHROUGH,
    bonusEngine: bonusEngineIn(settings['bonusEngine']),
    isDebugAllowed: row.isDebugAllowed,
  };
}

const storedEngineSchema = v.fallback(v.nullable(bonusEngineSchema), null);

/** The stored setting of the operator's own bonus engine. Null: none, or one that this build cannot use. */
export function bonusEngineIn(stored: unknown): BonusEngineSetting | null {
  return v.parse(storedEngineSchema, stored ?? null);
}

export interface ChangedSettings {
  readonly before: OperatorSettings;
  readonly after: OperatorSettings;
}

/**
 * Changes the settings that are given and records each of them. The addresses must already be checked.
 * @throws DomainError invalid-request for a rule or limit that names no amount of its currency; state-conflict where the settings of
 * the server set the value at every start
 */
export function changeOperatorSettings(
  database: Database,
  operatorId: string,
  actor: Actor,
  { addOrigins = [], removeOrigins = [], ...change }: Change,
): Promise<ChangedSettings> {
  checkAmounts(change);
  return database.transaction(async (transaction) => {
    if (change.webhookUrl !== undefined) await beginWebhooksAnew(transaction, operatorId, change.webhookUrl);
    const row = await rowOf(transaction, operatorId, true);
    const before = settingsIn(row);
    const origins = [...new Set([...(change.origins ?? before.origins), ...addOrigins])].filter(
      (origin) => !removeOrigins.includes(origin),
    );
    const { bonusEngine, ...others } = change;
    const given = Object.entries(others).filter(([, value]) => value !== undefined);
    const after: OperatorSettings = {
      ...before,
      ...Object.fromEntries(given),
      origins,
      bonusEngine: changedEngine(before.bonusEngine, bonusEngine),
    };
    refuseSeeded(row, before, after);
    await writeSettings(transaction, operatorId, row, after);
    for (const name of Object.keys(before) as (keyof OperatorSettings)[]) {
      const [old, now] = [shownSetting(name, before), shownSetting(name, after)];
      await recordSettingChange(transaction, {
        operatorId,
        setting: `operator.${name}`,
        ...actor,
        before: old,
        after: now,
      });
    }
    return { before, after };
  });
}

/** A setting for people and for the history. The query of an address may hold a secret, so it is left out. */
export function shownSetting(name: keyof OperatorSettings, settings: OperatorSettings): unknown {
  const { webhookUrl, bonusEngine } = settings;
  if (name === 'webhookUrl') return shownAddress(webhookUrl);
  if (name === 'bonusEngine') return bonusEngine && { ...bonusEngine, url: shownAddress(bonusEngine.url) };
  return settings[name];
}

/** @throws DomainError invalid-request for a new engine without an address */
function changedEngine(
  before: OperatorSettings['bonusEngine'],
  change: Change['bonusEngine'],
): OperatorSettings['bonusEngine'] {
  if (change === undefined) return before;
  if (change === null) return null;
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const after = { isOn: true, fallback: 'list', ...before, ...given } as Partial<BonusEngineSetting>;
  if (v.is(bonusEngineSchema, after)) return after;
  throw invalidFields('These settings are not valid.', [
    { path: 'bonusEngine.url', message: 'Give the address of the bonus engine. None is stored yet.' },
  ]);
}

async function writeSettings(
  transaction: Transaction,
  operatorId: string,
  { settings: stored }: Pick<SettingsRow, 'settings'>,
  { withdrawalCodes, depositLimits, playthrough, bonusEngine, ...after }: OperatorSettings,
): Promise<void> {
  const settings = { ...stored, withdrawalCodes, depositLimits, sweepstake: { playthrough }, bonusEngine };
  await transaction.query({
    // Another address starts without the failures of the old one.
    text: `update operator set name = $2, allowed_origins = $3, webhook_url = $4, deposits_open = $5, withdrawals_open = $6,
        debug_allowed = $7, settings = $8,
        webhook_disabled_at = case when webhook_url is distinct from $4 then null else webhook_disabled_at end
      where id = $1`,
    values: [
      operatorId,
      after.name,
      after.origins,
      after.webhookUrl,
      after.depositsOpen,
      after.withdrawalsOpen,
      after.isDebugAllowed,
      JSON.stringify(settings),
    ],
  });
}

/** @throws DomainError state-conflict */
function refuseSeeded(row: SettingsRow, before: OperatorSettings, after: OperatorSettings): void {
  const isSame = before.webhookUrl === after.webhookUrl && String(before.origins) === String(after.origins);
  if (!row.isSeeded || isSame) return;
  throw new DomainError(
    'state-conflict',
    'The settings of the server set the sites and the webhook address of this operator at every start: change SEED_DEMO_ORIGIN and SEED_DEMO_WEBHOOK_URL.',
  );
}

/** @throws DomainError invalid-request */
function checkAmounts({ withdrawalCodes = [], depositLimits = [] }: Change): void {
  const fields = [
    ...withdrawalCodes.flatMap(({ currency }, index) =>
      currency === undefined || findCurrency(currency) !== undefined
        ? []
        : [{ path: `withdrawalCodes.${index}.currency`, message: 'The currency is unknown.' }],
    ),
    ...withdrawalCodes.flatMap(({ from, currency }, index) =>
      from === undefined || minorOf(from, currency) !== undefined
        ? []
        : [{ path: `withdrawalCodes.${index}.from`, message: 'Expected an amount of `currency`, such as 10.00.' }],
    ),
    ...depositLimits.flatMap((limit, index) =>
      limitFaults(limit).map(({ name, message }) => ({ path: `depositLimits.${index}.${name}`, message })),
    ),
  ];
  if (fields.length > 0) throw invalidFields('These settings are not valid.', fields);
}

function limitFaults({ min, max, currency }: OperatorSettings['depositLimits'][number]) {
  const [least, most] = [minorOf(min, currency), minorOf(max, currency)];
  const message = 'Expected an amount of `currency`.';
  if (least === undefined || most === undefined) {
    return [
      ...(least === undefined ? [{ name: 'min', message }] : []),
      ...(most === undefined ? [{ name: 'max', message }] : []),
    ];
  }
  return most === 0n || least <= most ? [] : [{ name: 'max', message: 'Must not be below `min`. 0: no maximum.' }];
}
