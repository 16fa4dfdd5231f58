import type { Plugin } from 'vite';

interface Replacement {
  readonly id: RegExp;
  readonly importer: RegExp;
  readonly code: string;
}

/** Parts of libraries that come along although nothing here can reach them; each is weighed in the first load. */
const replacements: Replacement[] = [
  // A stand-in for what React has had by itself since 18.
  {
    id: /^use-sync-external-store\/shim/,
    importer: /\/node_modules\/wouter\//,
    code: "export { useSyncExternalStore } from 'react';",
  },
  // Endless lists: the catalogue has no pages. Whoever asks for one hears about it at once.
  {
    id: /\/infiniteQueryBehavior\.js$/,
    importer: /\/node_modules\/@tanstack\/query-core\//,
    code: `
      const left = () => { throw new Error('Infinite queries are left out of this build.'); };
      export { left as infiniteQueryBehavior, left as hasNextPage, left as hasPreviousPage };`,
  },
  // Mutations: every call that changes something is made by the deposit engine, never by the cache of answers.
  {
    id: /\/mutationCache\.js$/,
    importer: /\/node_modules\/@tanstack\/query-core\//,
    code: `
      export class MutationCache {
        build() { throw new Error('Mutations are left out of this build.'); }
        clear() {}
        find() {}
        findAll() { return []; }
        getAll() { return []; }
        resumePausedMutations() { return Promise.resolve(); }
        subscribe() { return () => {}; }
      }`,
  },
  // Focus and connection: `query-client.ts` switches every refetch by either off, and screens that need them listen themselves.
  {
    id: /\/focusManager\.js$/,
    importer: /\/node_modules\/@tanstack\/query-core\//,
    code: 'export const focusManager = { subscribe: () => () => {}, isFocused: () => true };',
  },
  {
    id: /\/onlineManager\.js$/,
    importer: /\/node_modules\/@tanstack\/query-core\//,
    code: 'export const onlineManager = { subscribe: () => () => {}, isOnline: () => true };',
  },
];

/** Leaves out of the build what cannot be used in it. */
export function unusedParts(): Plugin {
  const prefix = '\0unused-part-';
  return {
    name: 'unused-parts',
    apply: 'build',
    enforce: 'pre',
    resolveId(id, importer) {
      const index = replacements.findIndex(
        (part) => part.id.test(id) && importer !== undefined && part.importer.test(importer),
      );
      return index < 0 ? null : `${prefix}${index}`;
    },
    load(id) {
      return id.startsWith(prefix) ? (replacements[Number(id.slice(prefix.length))]?.code ?? null) : null;
    },
  };
}
