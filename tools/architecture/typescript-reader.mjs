/**
 * Lets dependency-cruiser read our TypeScript completely.
 *
 * The tool knows the TypeScript compiler up to version 6. With version 7 it falls back to a tolerant JavaScript parser, which may
 * silently miss imports. Its swc parser refuses TSX and does not tell types from values. So this file replaces that parser's result:
 * swc parses the file with the right syntax, and the tool gets a small module with only the file's imports. Each import of a type is
 * marked `type-import`, which rules can use.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import swc from '@swc/core';

// The tool uses the CommonJS object, which can be changed, and not the frozen ES namespace.
const shared = createRequire(import.meta.url)('@swc/core');
const span = { start: 0, end: 0, ctxt: 0 };

/**
 * Lists what a file imports, in any form: static, re-export, `import()`, `typeof import()` and worker addresses.
 *
 * @param {string} file address of a TypeScript or JavaScript file
 * @returns {{ specifier: string, kind: 'value' | 'type' | 'dynamic' }[]} each specifier once; a value goes before a type
 * @throws when the file cannot be parsed
 */
export function importsOf(file) {
  const source = readFileSync(file, 'utf8');
  const module = swc.parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'es2022' });
  const found = new Map();
  const add = (specifier, kind) => {
    if (kind !== 'type' || !found.has(specifier)) found.set(specifier, kind);
  };
  visit(module, add);
  return [...found].map(([specifier, kind]) => ({ specifier, kind }));
}

function visit(node, add) {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, add);
    return;
  }
  if (node === null || typeof node !== 'object') return;
  switch (node.type) {
    // `import { type A }` keeps its import at run time under verbatimModuleSyntax, so only `import type` counts as a type.
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      if (node.source) add(node.source.value, node.typeOnly ? 'type' : 'value');
      return;
    case 'TsImportType':
      add(node.argument.value, 'type');
      break;
    case 'CallExpression':
      if (node.callee.type === 'Import') {
        const text = literal(node.arguments[0]?.expression);
        if (text !== undefined) add(text, 'dynamic');
      }
      break;
  }
  for (const child of Object.values(node)) visit(child, add);
}

function literal(expression) {
  if (expression?.type === 'StringLiteral') return expression.value;
  if (expression?.type === 'TemplateLiteral' && expression.expressions.length === 0) return expression.quasis[0].cooked;
  return undefined;
}

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

shared.parseFileSync = (file) => ({
  type: 'Module',
  span,
  interpreter: null,
  body: importsOf(file).map(({ specifier, kind }) => standIns[kind](specifier)),
});
