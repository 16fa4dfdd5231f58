/**
 * Builds the server into dist/: `main.js`, `cli.js` for whoever runs it, and `embedded-worker.js`, the thread of the embedded
 * database beside them.
 */
import { defineConfig } from 'vite';

export default defineConfig({
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
      },
      // Flat: a program finds embedded-worker.js beside the file that asks for it.
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
