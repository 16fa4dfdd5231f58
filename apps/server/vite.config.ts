/**
 * Builds the server into dist/: `main.js` and `cli.js` for whoever runs it. Beside them are `embedded-worker.js`, the thread of the
 * embedded database, and `provider-child.js`, the process of a provider that is a package.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  // By its sources: the server is built without the build of the published package.
  resolve: {
    alias: {
      '@opencashier/provider-kit': fileURLToPath(new URL('../../packages/provider-kit/src/index.ts', import.meta.url)),
    },
  },
  ssr: { noExternal: [/^@opencashier\//] },
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: {
      input: {
        main: 'src/main.ts',
        cli: 'src/cli/main.ts',
        'embedded-worker': 'src/database/embedded/embedded-worker.ts',
        'provider-child': 'src/provider-processes/child/provider-child.ts',
      },
      // Flat: a program finds embedded-worker.js beside the file that asks for it.
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
