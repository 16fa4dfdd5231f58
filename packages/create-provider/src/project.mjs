/** The files of a new project, made from the templates. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const template = fileURLToPath(new URL('../template', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The form of a provider's name, as the manifest wants it. */
export const nameForm = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
export const longestName = 30;

/**
 * @param {string} name such as `acme`
 * @returns {Readonly<Record<string, string>>} contents by path in the project
 */
export function projectFiles(name) {
  const words = {
    __name__: name,
    __NAME__: name.replaceAll('-', '_').toUpperCase(),
    __Name__: name.replace(/(?:^|-)([a-z0-9])/g, (_all, letter) => letter.toUpperCase()),
    __method__: `${name.replaceAll('-', '_')}_card`,
    __package__: `opencashier-provider-${name}`,
    __version__: version,
  };
  const files = readdirSync(template, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map(({ parentPath, name: file }) => `${parentPath}/${file}`)
      .toSorted()
      .map((path) => [
        // npm renames or leaves out files that have a meaning of their own in a package.
        path
          .slice(template.length + 1)
          .replace(/\.txt$/, '')
          .replace(/^gitignore$/, '.gitignore'),
        readFileSync(path, 'utf8').replace(/__(?:name|NAME|Name|method|package|version)__/g, (word) => words[word]),
      ]),
  );
}
