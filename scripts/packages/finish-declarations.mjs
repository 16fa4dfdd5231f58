/**
 * `node finish-declarations.mjs <folder>`: the last step of a package's build. The compiler leaves the endings of our sources in
 * declarations (`./events.ts`). A reader of the package has `./events.js`, with its types in `./events.d.ts`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder of the declarations.');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'));
if (files.length === 0) throw new Error(`${folder} holds no declarations.`);
for (const name of files) {
  const file = join(folder, name);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/((?:from |import\()['"]\.{1,2}\/[^'"]+)\.tsx?(?=['"])/g, '$1.js'));
}
