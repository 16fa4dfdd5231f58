/**
 * Builds what the server draws the first list with, and the sources of all texts, into `dist/server/`. It must run after the build of the widget, whose class
 * names and addresses it repeats.
 */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { className } from './build/class-names.ts';
import { localeFiles, localeSources } from './build/locale-files.ts';
import { product } from './build/product.ts';

export default defineConfig({
  base: `/${product}/`,
  publicDir: false,
  plugins: [react(), localeFiles({ isWritten: false }), localeSources()],
  css: { modules: { generateScopedName: className } },
  // The server does not depend on React: everything is in the one file.
  ssr: { noExternal: true },
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    ssr: 'src/draw-first-list.tsx',
    target: 'node20',
    outDir: 'dist/server',
    emptyOutDir: true,
    rolldownOptions: { output: { format: 'es', entryFileNames: 'first-list.js', codeSplitting: false } },
  },
});
