/** Changes an operator's settings after all checks, for the API and the command line (SRV-1). */
import type { SettingsRequest } from '@opencashier/contract/operator';
import { checkRuleMethods, type NamedMethod } from '../../catalogue/rule-methods.ts';
import type { ShippedCatalogue } from '../../catalogue/shipped-catalogue.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { type ChangedSettings, changeOperatorSettings } from '../../operators/operator-settings.ts';
import type { Actor } from '../../operators/setting-history.ts';
import { leadsInside, webhookAddressProblem } from '../../webhooks/webhook-address.ts';

export interface SettingChecks {
  /** Whether private addresses are allowed, as in the sandbox. */
  readonly allowInside: boolean;
  /** Absent: the names of methods are not checked. */
  readonly shipped: ShippedCatalogue | undefined;
}

/** @throws DomainError invalid-request, state-conflict; see `changeOperatorSettings` and `checkRuleMethods` */
export async function changeSettingsOf(
  database: Database,
  operatorId: string,
  actor: Actor,
  change: Omit<SettingsRequest, 'staff'>,
  { allowInside, shipped }: SettingChecks,
): Promise<ChangedSettings> {
  const { webhookUrl, bonusEngine } = change;
  if (typeof webhookUrl === 'string') await checkAddress('webhookUrl', webhookUrl, allowInside);
  if (typeof bonusEngine?.url === 'string') await checkAddress('bonusEngine.url', bonusEngine.url, allowInside);
  if (shipped !== undefined) await checkRuleMethods(database, shipped, operatorId, rulesIn(change));
  return changeOperatorSettings(database, operatorId, actor, change);
}

function rulesIn({ withdrawalCodes = [], depositLimits = [] }: Omit<SettingsRequest, 'staff'>): NamedMethod[] {
  return [
    ...withdrawalCodes.map(({ paymentMethod: method, currency: code }, index) => ({
      path: `withdrawalCodes.${index}.paymentMethod`,
      method,
      direction: 'withdrawal' as const,
      currency: code === undefined ? undefined : { path: `withdrawalCodes.${index}.currency`, code },
    })),
    ...depositLimits.map(({ paymentMethod: method, currency: code }, index) => ({
      path: `depositLimits.${index}.paymentMethod`,
      method,
      direction: 'deposit' as const,
      currency: { path: `depositLimits.${index}.currency`, code },
    })),
  ];
}

/** The same checks as for a new operator. The name is resolved here, outside any transaction. */
async function checkAddress(
  path: 'webhookUrl' | 'bonusEngine.url',
  address: string,
  allowInside: boolean,
): Promise<void> {
  const leads = async (): Promise<string | undefined> =>
    !allowInside && (await leadsInside(address)) ? 'its name leads to a private address' : undefined;
  const problem = webhookAddressProblem(address, allowInside) ?? (await leads());
  if (problem === undefined) return;
  const what = path === 'webhookUrl' ? 'webhook address' : 'address of a bonus engine';
  const rule = 'Expected an address that begins with https://, contains no user, and leads to a public address';
  throw new DomainError('invalid-request', `This ${what} cannot be used.`, {
    fields: [{ path, message: `${rule} (${problem}).` }],
  });
}
