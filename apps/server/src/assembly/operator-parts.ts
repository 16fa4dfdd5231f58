/** The operators of this server: their keys, their users' tokens and their settings. */
import { seedSandboxBonuses } from '../bonuses/seed-bonuses.ts';
import type { Config } from '../config/config.ts';
import { measure } from '../observability/measure.ts';
import { type CodeChannelOf, codeChannelIn } from '../operators/code-policy.ts';
import { type LimitsOf, limitsOf as limitsIn } from '../operators/limit-overrides.ts';
import { loadOperators, type Operators } from '../operators/operators.ts';
import { demoPartnerKey, seedDemoOperator } from '../operators/seed-demo-operator.ts';
import { tokenSecret } from '../operators/token-secret.ts';
import { createUserTokens, type UserTokens } from '../operators/user-tokens.ts';
import { createDataKeys, type DataKeys, dataSecrets } from '../sealing/data-keys.ts';
import { seedSandboxBoxes } from '../sweepstake/seed-boxes.ts';
import type { Addresses } from './addresses.ts';
import type { Closers } from './closers.ts';
import type { Foundations } from './foundations.ts';

export interface OperatorParts {
  readonly operators: Operators;
  readonly tokens: UserTokens;
  /** Signs users' tokens and hashes confirmation codes. Nodes that share a database share it. */
  readonly secret: string;
  readonly dataKeys: DataKeys;
  readonly limitsOf: LimitsOf;
  readonly codeChannelOf: CodeChannelOf;
}

export async function openOperators(
  config: Config,
  { database, clock, logger }: Foundations,
  { publicUrl }: Addresses,
  closers: Closers,
): Promise<OperatorParts> {
  if (config.demoOperator) await seedDemoOperator(database, config.demoOperator);
  if (config.demoOperator && config.isSandbox) {
    await seedSandboxBoxes(database, demoPartnerKey);
    await seedSandboxBonuses(database, demoPartnerKey);
  }
  const operators = await loadOperators(database, clock, (error) => {
    measure(database, 'settingsFailures', { settings: 'operators' });
    logger.warn({ err: error }, 'operators could not be read again');
  });
  closers.add(() => operators.stop());
  const secret = tokenSecret(config.tokenSecret, config.dataDir);
  return {
    operators,
    tokens: await createUserTokens(secret, publicUrl, operators, clock),
    secret,
    dataKeys: createDataKeys(dataSecrets(config.dataKeys, secret)),
    limitsOf: (caller, method, currency) =>
      limitsIn(operators.byId(caller.operatorId)?.limitOverrides ?? [], caller.userId, method, currency),
    codeChannelOf: (caller, withdrawal) =>
      codeChannelIn(operators.byId(caller.operatorId)?.codeRules ?? [], withdrawal),
  };
}
