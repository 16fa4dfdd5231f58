/**
 * `npm run sdk`: generates the repetitive parts of the SDKs from the contract and docs/reference/openapi.json.
 * `npm run sdk -- --check` writes nothing and fails when a file is stale.
 */
import {
  bonusAnswerSchema,
  bonusQuestionSchema,
  bonusTimeLimitMs,
  bonusWaitMs,
  mostBonusAnswerBytes,
  mostBonusesOfUser,
  ownBonusSchema,
  walletAnswerSchema,
  walletCallSchema,
  walletTimeLimitsS,
} from '@opencashier/contract/operator';
import { MOST_BONUS_PERCENT } from '@opencashier/core/bonus/bonus';
import { CURRENCIES } from '@opencashier/core/money/currencies';
import { source, writeOrCheck } from './machine/generated-files.ts';
import { docOf } from './reference/contract-docs.ts';
import { requestSchema, wholeRequestSchema } from './reference/json-schema.ts';
import { bonusVectors } from './sdk/bonus-vectors.ts';
import { goBonuses, goOperatorApi, goWallet, goWebhooks } from './sdk/go.ts';
import { hostTypes } from './sdk/host-types.ts';
import { readOperatorApi } from './sdk/operator-api.ts';
import { phpBonuses, phpOperatorApi, phpWallet } from './sdk/php.ts';
import { currencyTable, providerTypes } from './sdk/provider-kit.ts';
import { pythonBonuses, pythonOperatorApi, pythonWallet, pythonWebhooks } from './sdk/python.ts';
import {
  typescriptBonuses,
  typescriptBonusRules,
  typescriptOperatorApi,
  typescriptWallet,
  typescriptWebhooks,
} from './sdk/typescript.ts';
import { requestVectors, webhookVectors } from './sdk/vectors.ts';
import { walletVectors } from './sdk/wallet-vectors.ts';

const api = readOperatorApi(source('docs/reference/openapi.json'));

const walletCall = wholeRequestSchema(walletCallSchema);
const walletAnswer = wholeRequestSchema(walletAnswerSchema);

const bonusQuestion = requestSchema(bonusQuestionSchema, docOf('operator/bonus-engine.ts', 'bonusQuestionSchema'));
const bonusAnswer = requestSchema(bonusAnswerSchema, docOf('operator/bonus-engine.ts', 'bonusAnswerSchema'));

const files: Record<string, string> = {
  'packages/embed/src/generated/host-types.ts': hostTypes(source('packages/contract/src/host/messages.ts')),
  'packages/server/src/generated/operator-api.ts': typescriptOperatorApi(api),
  'packages/server/src/generated/webhooks.ts': typescriptWebhooks(api),
  'packages/server/src/generated/wallet.ts': typescriptWallet(walletCall, walletAnswer, walletTimeLimitsS),
  'packages/server/src/generated/bonuses.ts': typescriptBonuses(bonusQuestion, bonusAnswer),
  'packages/server/src/generated/bonus-rules.ts': typescriptBonusRules({
    bonus: wholeRequestSchema(ownBonusSchema),
    currencies: CURRENCIES,
    mostBonuses: mostBonusesOfUser,
    mostPercent: MOST_BONUS_PERCENT,
    mostBytes: mostBonusAnswerBytes,
    waitMs: bonusWaitMs,
    timeLimitMs: bonusTimeLimitMs,
  }),
  'packages/provider-kit/src/generated/payment-types.ts': providerTypes(source('packages/core/src/payment/report.ts')),
  'packages/provider-kit/src/generated/currencies.ts': currencyTable(),
  'sdks/python/opencashier/generated/operator_api.py': pythonOperatorApi(api),
  'sdks/python/opencashier/generated/webhooks.py': pythonWebhooks(api),
  'sdks/python/opencashier/generated/wallet.py': pythonWallet(walletCall),
  'sdks/python/opencashier/generated/bonuses.py': pythonBonuses(bonusQuestion),
  'sdks/php/src/Generated/OperatorApi.php': phpOperatorApi(api),
  'sdks/php/src/Generated/WalletTypes.php': phpWallet(walletCall),
  'sdks/php/src/Generated/BonusTypes.php': phpBonuses(bonusQuestion),
  'sdks/go/operator_api_generated.go': goOperatorApi(api),
  'sdks/go/webhooks_generated.go': goWebhooks(api),
  'sdks/go/wallet_generated.go': goWallet(walletCall, walletAnswer),
  'sdks/go/bonuses_generated.go': goBonuses(bonusQuestion, bonusAnswer),
  'sdks/python/pyproject.toml': withVersion(source('sdks/python/pyproject.toml')),
  'sdks/vectors/webhooks.json': webhookVectors(),
  'sdks/vectors/requests.json': requestVectors(),
  'sdks/vectors/wallet-calls.json': walletVectors(),
  'sdks/vectors/bonus-questions.json': bonusVectors(),
};

/** All SDKs have the version of the published packages. */
function withVersion(project: string): string {
  const { version } = JSON.parse(source('packages/server/package.json')) as { version: string };
  return project.replace(/^version = ".*"$/m, `version = "${version}"`);
}

writeOrCheck(files, 'npm run sdk');
