/**
 * Generates a TypeScript client from docs/reference/openapi.json and compiles it with a program that uses it. A document can be valid and
 * still give types that nobody can use.
 *
 * `node tools/clients/check.mjs`; exit code 1 with the compiler's messages when the types do not fit. Takes about ten seconds.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, '.cache/clients');
mkdirSync(folder, { recursive: true });

const document = JSON.parse(readFileSync(join(root, 'docs/reference/openapi.json'), 'utf8'));
writeFileSync(join(folder, 'schema.ts'), astToString(await openapiTS(document)));
const program = join(folder, 'program.ts');
writeFileSync(program, readFileSync(join(root, 'tools/clients/program.ts.txt'), 'utf8'));

const compiled = ts.createProgram([program], {
  strict: true,
  noEmit: true,
  exactOptionalPropertyTypes: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  lib: ['lib.es2022.d.ts'],
  types: [],
});
const problems = ts.getPreEmitDiagnostics(compiled);
if (problems.length > 0) {
  console.error(
    ts.formatDiagnostics(problems, {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => root,
      getNewLine: () => '\n',
    }),
  );
  process.exitCode = 1;
} else {
  console.log('The client of docs/reference/openapi.json compiles.');
}
