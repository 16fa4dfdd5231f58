/**
 * `npm run new:provider -- <name>`: makes a provider that builds, passes the conformance tests and is configured by three settings. It
 * calls a company with a simple JSON interface. docs/add-a-provider.md says what to change for a real company.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../machine/paths.mjs';
import { addAfter, addBefore, checkName, GeneratorError, writeFiles } from './names.mjs';

const server = 'apps/server/src';
const providers = `${server}/providers`;
const methods = `${server}/catalogue/data/methods`;
const templates = 'scripts/new/provider';

const [name] = process.argv.slice(2);
try {
  checkName(name, 'provider', providers);
  const pascal = name.replace(/(?:^|-)([a-z0-9])/g, (_all, letter) => letter.toUpperCase());
  const words = {
    __name__: name,
    __Name__: pascal,
    __key__: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    __NAME__: name.replaceAll('-', '_').toUpperCase(),
    __method__: `card_${name.replaceAll('-', '_')}`,
  };
  const filled = (file) =>
    readFileSync(join(root, templates, file), 'utf8').replace(
      /__(?:name|Name|key|NAME|method)__/g,
      (word) => words[word],
    );
  writeFiles({
    [`${providers}/${name}/${name}.ts`]: filled('provider.ts.txt'),
    [`${providers}/${name}.integration.test.ts`]: filled('integration.test.ts.txt'),
    [`${methods}/${name}.json`]: filled('methods.json.txt'),
  });
  const { __key__: key, __NAME__: NAME } = words;
  addAfter(
    `${server}/config/config-schema.ts`,
    'STRIPE_PRODUCT_NAME: text',
    `  ${NAME}_API_URL: baseAddress,\n  ${NAME}_SECRET_KEY: secret,\n  ${NAME}_WEBHOOK_SECRET: secret,\n`,
  );
  addAfter(
    `${server}/config/config.ts`,
    'readonly stripe: StripeConfig | undefined;',
    `  readonly ${key}: { readonly apiUrl: string; readonly secretKey: string; readonly webhookSecret: string } | undefined;\n`,
  );
  addAfter(
    `${server}/config/config.ts`,
    'stripe: stripeOf(settings),',
    `    ${key}: allSet({\n      apiUrl: settings.${NAME}_API_URL,\n      secretKey: settings.${NAME}_SECRET_KEY,\n      webhookSecret: settings.${NAME}_WEBHOOK_SECRET,\n    }),\n`,
  );
  addBefore(
    `${server}/assembly/create-providers.ts`,
    "import type { Provider } from '../providers/provider.ts';",
    `import { create${pascal}Provider } from '../providers/${name}/${name}.ts';\n`,
  );
  addBefore(
    `${server}/assembly/create-providers.ts`,
    'if (config.cryptoFile !== undefined) {',
    `  if (config.${key} !== undefined) {\n    providers.set('${name}', create${pascal}Provider(config.${key}));\n  }\n`,
  );
  addAfter(
    'docs/operate.md',
    '| `STRIPE_PRODUCT_NAME` |',
    `| \`${NAME}_API_URL\`, \`${NAME}_SECRET_KEY\`, \`${NAME}_WEBHOOK_SECRET\` | unset | the account at ${pascal}: address, secret key and signing secret of its callbacks to \`PUBLIC_URL/providers/${name}/callbacks\`; without all three the provider is off |\n`,
  );
  console.log(`
Format it: npx biome check --write ${server}. Test it: npx vitest run --project integration ${providers}/${name}
Next: read docs/add-a-provider.md.`);
} catch (error) {
  if (!(error instanceof GeneratorError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
