/** What every page says about the product. */
import { source } from '../machine/generated-files.ts';

// A release gives all workspaces one version. The package of the whole repository is none of them.
const { version } = JSON.parse(source('apps/server/package.json')) as { version: string };

export const info = { title: 'OpenCashier', version, license: { name: 'Apache-2.0' } };
