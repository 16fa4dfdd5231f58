/**
 * Lets dependency-cruiser read our TypeScript completely.
 *
 * The tool knows the TypeScript compiler up to version 6. With version 7 it falls back to a tolerant JavaScript parser, which may
 * silently miss imports. Its swc parser refuses TSX and does not tell types from values. So this file replaces that parser's result:
 * oxc lists the imports, without a tree of the whole file, and the tool gets a small module with only them. Each import of a type is
 * marked `type-import`, which rules can use.
 */
import { readFileSync } from 'node:fs';
import swc from '@swc/core';
import { parseSync, Visitor } from 'oxc-parser';

const span = { start: 0, end: 0, ctxt: 0 };

/**
 * Lists what a file imports, in any form: static, re-export, `import()` and `typeof import()`.
 *
 * @param {string} file address of a TypeScript or JavaScript file
 * @returns {{ specifier: string, kind: 'value' | 'type' | 'dynamic' }[]} each specifier once; a value goes before a type
 * @throws when the file cannot be parsed
 */
export function importsOf(file) {
  const source = readFileSync(file, 'utf8');
  const parsed = parseSync(file, source, { sourceType: 'module' });
  const fault = parsed.errors.find(({ severity }) => severity === 'Error');
  if (fault !== undefined) throw new Error(`${file}: ${fault.message}`);
  const { staticImports, staticExports, dynamicImports } = parsed.module;
  const found = new Map();
  const add = (specifier, kind) => {
    if (kind !== 'type' || !found.has(specifier)) found.set(specifier, kind);
  };
  // `import { type A }` keeps its import at run time under verbatimModuleSyntax, so only `import type` counts as a type.
  const kindOf = ({ start, end }) => (onlyTypes.test(source.slice(start, end)) ? 'type' : 'value');
  for (const statement of staticImports) add(statement.moduleRequest.value, kindOf(statement));
  for (const statement of staticExports) {
    for (const { moduleRequest } of statement.entries) if (moduleRequest) add(moduleRequest.value, kindOf(statement));
  }
  for (const { moduleRequest } of dynamicImports) {
    const text = literal.exec(source.slice(moduleRequest.start, moduleRequest.end))?.[2];
    if (text !== undefined) add(text, 'dynamic');
  }
  // The whole tree is large, and few files name a type by its import.
  if ([...source.matchAll(/\bimport\(/g)].length > dynamicImports.length) {
    new Visitor({ TSImportType: ({ source: named }) => add(named.value, 'type') }).visit(parsed.program);
  }
  return [...found].map(([specifier, kind]) => ({ specifier, kind }));
}

/** `import type from './a.ts'` imports a value that is named `type`. */
const onlyTypes = /^(?:import|export)\s+type\b(?!\s*(?:,|from\b))/;
/** A text in quotes, without a value inside. */
const literal = /^(['"`])((?:(?!\1|\$\{)[^\\])*)\1$/;

const string = (value) => ({ type: 'StringLiteral', span, value });

const standIns = {
  value: (specifier) => ({
    type: 'ImportDeclaration',
    span,
    specifiers: [],
    source: string(specifier),
    typeOnly: false,
  }),
  dynamic: (specifier) => ({
    type: 'ExpressionStatement',
    span,
    expression: {
      type: 'CallExpression',
      span,
      callee: { type: 'Import', span },
      arguments: [{ spread: null, expression: string(specifier) }],
    },
  }),
  // The tool's visitor reports a `type-import` only for the annotation `let x: typeof import('specifier')`.
  type: (specifier) => ({
    type: 'VariableDeclaration',
    span,
    kind: 'let',
    declarations: [
      {
        type: 'VariableDeclarator',
        span,
        id: {
          type: 'Identifier',
          span,
          value: 'x',
          typeAnnotation: { type: 'TsTypeAnnotation', span, typeAnnotation: { argument: string(specifier) } },
        },
        init: null,
      },
    ],
  }),
};

// The tool uses this object of CommonJS, too, which can be changed.
swc.parseFileSync = (file) => ({
  type: 'Module',
  span,
  interpreter: null,
  body: importsOf(file).map(({ specifier, kind }) => standIns[kind](specifier)),
});
