/**
 * `npm run docs`: generates docs/reference and docs/errors from the contract, so that it cannot differ from the code.
 * `npm run docs -- --check` writes nothing and fails when a page is stale.
 */
import { source, writeOrCheck } from './machine/generated-files.ts';
import { asyncApi } from './reference/asyncapi.ts';
import { errorsPage } from './reference/errors-page.ts';
import { hostProtocol } from './reference/host-protocol.ts';
import { openApi } from './reference/openapi.ts';

const json = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

writeOrCheck(
  {
    'docs/reference/openapi.json': json(openApi()),
    'docs/reference/asyncapi.json': json(asyncApi()),
    'docs/errors/README.md': errorsPage(),
    'docs/reference/host-protocol.md': hostProtocol(source('packages/contract/src/host/messages.ts')),
  },
  'npm run docs',
);
