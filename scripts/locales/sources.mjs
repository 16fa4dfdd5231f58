/** Where translations are: the texts of the widget, of the server and of the sandbox provider, each a folder of files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { variantsOf } from '@opencashier/messages/icu';
import { valueNames } from '@opencashier/messages/placeholders';
import { readDictionaries } from './dictionaries.mjs';

/**
 * @typedef {{ description: string, example?: Record<string, string>, critical?: true }} Context what a translator must know of a text
 * @typedef {{ name: string, folder: string, english: Record<string, string>, files: Map<string, Record<string, string>>,
 *   context: Record<string, Context> }} Source
 */

/** The folders, by the names that state files and exchange files use. */
const folders = {
  widget: 'locales',
  server: 'apps/server/src/languages/words',
  sandbox: 'apps/server/src/providers/sandbox/words',
};

/**
 * @param {string} root the project's folder
 * @returns {Source[]}
 */
export function readSources(root) {
  return Object.entries(folders).map(([name, path]) => {
    const folder = join(root, path);
    const files = readDictionaries(folder);
    const context = JSON.parse(readFileSync(join(root, 'locales/context', `${name}.json`), 'utf8'));
    return { name, folder, english: files.get('en') ?? {}, files, context };
  });
}

/**
 * What is missing for translators: each text needs a description, and each placeholder an example.
 *
 * @param {Pick<Source, 'name' | 'english' | 'context'>} source
 * @returns {string[]}
 */
export function contextProblems({ name, english, context }) {
  const file = `locales/context/${name}.json`;
  const unknown = Object.keys(context).filter((key) => !Object.hasOwn(english, key));
  return [
    ...unknown.map((key) => `${file}: "${key}" is no text.`),
    ...Object.entries(english).flatMap(([key, text]) => {
      const { description = '', example = {} } = context[key] ?? {};
      const lost = [...valueNames(variantsOf(text))].filter((value) => example[value] === undefined);
      return [
        ...(description === '' ? [`${file}: "${key}" has no description.`] : []),
        ...lost.map((value) => `${file}: "${key}" has no example of {${value}}.`),
      ];
    }),
  ];
}
