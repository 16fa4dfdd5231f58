#!/usr/bin/env node
/** `npm create @opencashier/provider <name>`: makes a project in a folder of that name. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { longestName, nameForm, projectFiles } from './project.mjs';

const [name = ''] = process.argv.slice(2);
const folder = resolve(name);
if (!nameForm.test(name) || name.length > longestName) {
  fail(`Give the provider a name of small letters, digits and hyphens, at most ${longestName}, such as acme.`);
} else if (existsSync(folder)) {
  fail(`${folder} is there already. Choose another name, or remove it.`);
} else {
  for (const [path, content] of Object.entries(projectFiles(name))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  console.log(`Made ${folder}.\n\n  cd ${name}\n  npm install\n  npm test\n\nThen read README.md there.`);
}

function fail(words) {
  console.error(words);
  process.exitCode = 2;
}
