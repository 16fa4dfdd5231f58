/**
 * `npm run sdk`: generates the repetitive parts of the SDKs from the contract and docs/reference/openapi.json.
 * `npm run sdk -- --check` writes nothing and fails when a file is stale.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { walletAnswerSchema, walletCallSchema, walletTimeLimitsS } from '@opencashier/contract/operator';
import { requestSchema } from './reference/json-schema.ts';
import { goOperatorApi, goWebhooks } from './sdk/go.ts';
import { hostTypes } from './sdk/host-types.ts';
import { readOperatorApi } from './sdk/operator-api.ts';
import { phpOperatorApi } from './sdk/php.ts';
import { pythonOperatorApi, pythonWebhooks } from './sdk/python.ts';
import { typescriptOperatorApi, typescriptWallet, typescriptWebhooks } from './sdk/typescript.ts';
import { requestVectors, webhookVectors } from './sdk/vectors.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = (path: string): string => readFileSync(join(root, path), 'utf8');

const api = readOperatorApi(source('docs/reference/openapi.json'));

const files: Record<string, string> = {
  'packages/embed/src/generated/host-types.ts': hostTypes(source('packages/contract/src/host/messages.ts')),
  'packages/server/src/generated/operator-api.ts': typescriptOperatorApi(api),
  'packages/server/src/generated/webhooks.ts': typescriptWebhooks(api),
  'packages/server/src/generated/wallet.ts': typescriptWallet(
    requestSchema(walletCallSchema),
    requestSchema(walletAnswerSchema),
    walletTimeLimitsS,
  ),
  'sdks/python/opencashier/generated/operator_api.py': pythonOperatorApi(api),
  'sdks/python/opencashier/generated/webhooks.py': pythonWebhooks(api),
  'sdks/php/src/Generated/OperatorApi.php': phpOperatorApi(api),
  'sdks/go/operator_api_generated.go': goOperatorApi(api),
  'sdks/go/webhooks_generated.go': goWebhooks(api),
  'sdks/python/pyproject.toml': withVersion(source('sdks/python/pyproject.toml')),
  'sdks/vectors/webhooks.json': webhookVectors(),
  'sdks/vectors/requests.json': requestVectors(),
};

/** All SDKs have the version of the published packages. */
function withVersion(project: string): string {
  const { version } = JSON.parse(source('packages/server/package.json')) as { version: string };
  return project.replace(/^version = ".*"$/m, `version = "${version}"`);
}

const stale = Object.entries(files).filter(([path, content]) => {
  const file = join(root, path);
  return !existsSync(file) || readFileSync(file, 'utf8') !== content;
});

if (process.argv.includes('--check')) {
  for (const [path] of stale) console.error(`${path} is stale: run \`npm run sdk\`.`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [path, content] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  console.log(stale.length === 0 ? 'The SDKs are up to date.' : `Wrote ${stale.map(([path]) => path).join(', ')}.`);
}
