/**
 * `npm run docs`: generates docs/reference and docs/errors from the contract, so that it cannot differ from the code.
 * `npm run docs -- --check` writes nothing and fails when a page is stale.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asyncApi } from './reference/asyncapi.ts';
import { errorsPage } from './reference/errors-page.ts';
import { hostProtocol } from './reference/host-protocol.ts';
import { openApi } from './reference/openapi.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = (path: string): string => readFileSync(join(root, path), 'utf8');
const json = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

const pages: Record<string, string> = {
  'reference/openapi.json': json(openApi()),
  'reference/asyncapi.json': json(asyncApi()),
  'errors/README.md': errorsPage(),
  'reference/host-protocol.md': hostProtocol(source('packages/contract/src/host/messages.ts')),
};

const folder = join(root, 'docs');
const stale = Object.entries(pages).filter(([name, content]) => {
  const file = join(folder, name);
  return !existsSync(file) || readFileSync(file, 'utf8') !== content;
});

if (process.argv.includes('--check')) {
  for (const [name] of stale) console.error(`docs/${name} is stale: run \`npm run docs\`.`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [name, content] of stale) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  console.log(stale.length === 0 ? 'The reference is up to date.' : `Wrote ${stale.map(([name]) => name).join(', ')}.`);
}
