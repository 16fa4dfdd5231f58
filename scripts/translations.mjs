/**
 * `npm run locales`: translations between this project and translators.
 *
 * - `npm run locales export de [file]` writes an XLIFF file for a translation platform, with descriptions, examples and states.
 * - `npm run locales import file` reads it back. Texts that fail the checks are refused, each with its reason.
 * - `npm run locales mark de read [key …]` sets the state of texts: draft, read or native; without keys, of all that are not stale.
 * - `npm run locales accept de key …` says that translations are still right for a changed English text.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportLanguage, importFile, markTexts } from './locales/exchange.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [command, first = '', ...rest] = process.argv.slice(2);

const commands = {
  export: () => exportLanguage(root, first, rest[0] ?? `${first}.xlf`),
  import() {
    const { done, refused } = importFile(root, first);
    for (const line of refused) console.error(line);
    if (refused.length > 0) process.exitCode = 1;
    return `${done} Now run node scripts/locales.mjs.`;
  },
  mark: () => `${markTexts(root, first, rest.slice(1), rest[0] ?? '')} Now run node scripts/locales.mjs.`,
  accept() {
    if (rest.length === 0) throw new Error('Name the keys whose translations are still right.');
    return `${markTexts(root, first, rest, undefined)} Now run node scripts/locales.mjs.`;
  },
};

try {
  const run = commands[command];
  if (run === undefined || first === '')
    throw new Error('Say export, import, mark or accept, and a language or a file.');
  console.log(run());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
