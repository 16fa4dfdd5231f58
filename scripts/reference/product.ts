/** What every page says about the product. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { version } = JSON.parse(readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8')) as {
  version: string;
};

export const info = { title: 'OpenCashier', version, license: { name: 'Apache-2.0' } };
