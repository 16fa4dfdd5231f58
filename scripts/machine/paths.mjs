/** Folders of the checkout. Importing this file also checks the version of Node, before anything else runs. */
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const cache = join(root, '.cache');

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`OpenCashier needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}
