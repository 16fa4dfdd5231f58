/**
 * `npm run sdk`: generates the repetitive parts of the SDKs from the contract and docs/reference/openapi.json.
 * `npm run sdk -- --check` writes nothing and fails when a file is stale.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostTypes } from './sdk/host-types.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = (path: string): string => readFileSync(join(root, path), 'utf8');

const files: Record<string, string> = {
  'packages/embed/src/generated/host-types.ts': hostTypes(source('packages/contract/src/host/messages.ts')),
};

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
