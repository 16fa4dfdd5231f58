import type { Plugin } from 'vite';

const packages = '/node_modules/(?:react|react-dom|scheduler)/';
const entries = new RegExp(`${packages}[a-z-]+\\.js$`);
const files = new RegExp(`${packages}cjs/[a-z-]+\\.production\\.js$`);

/**
 * React is published as CommonJS only, of which a bundler keeps everything, and reaches each part by a look-up at run time. As ES
 * modules what nobody uses falls away, and a hook is called by a name of one letter: 2.4 kB of the first load.
 */
export function reactModules(): Plugin {
  return {
    name: 'react-modules',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (files.test(id)) return { code: asModule(code), map: null };
      if (entries.test(id)) return { code: asEntry(code), map: null };
      return null;
    },
  };
}

/** The file of a package that chooses between development and production, as one that has chosen production. */
export function asEntry(code: string): string {
  const file = /require\('(\.\/cjs\/[a-z-]+\.production\.js)'\)/.exec(code)?.[1];
  if (file === undefined) throw new Error('An entry file of React names no file for production.');
  return `export * from '${file}';`;
}

/** The same code with `import` and `export`, line by line, so that the map of the source still fits. */
export function asModule(code: string): string {
  const names = new Set<string>();
  const body = code
    .replace(/(?:\bvar )?(\w+) = require\("([\w-]+)"\)[,;]/g, 'import * as $1 from "$2";')
    // A name may be given twice, once for each kind of browser, and read in between: a `var` of the file stands for it.
    .replace(/^exports\.(\w+)(?= =)/gm, (_, name: string) => {
      names.add(name);
      return `var exports_${name}`;
    })
    .replace(/\bexports\.(\w+)/g, 'exports_$1');
  const rest = /.*\b(?:require\(|exports\b).*/.exec(body)?.[0];
  if (names.size === 0 || rest !== undefined) throw new Error(`React is written otherwise than this knows: ${rest}`);
  return `${body}\nexport { ${[...names].map((name) => `exports_${name} as ${name}`).join(', ')} };\n`;
}
