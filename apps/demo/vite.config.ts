import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The page by `vite build`, the backend by `vite build --ssr src/server/main.ts`. */
export default defineConfig(({ isSsrBuild }) => ({
  // Absolute: a test that builds the page may run in any folder.
  root: fileURLToPath(new URL('.', import.meta.url)),
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist/page',
    emptyOutDir: true,
    copyPublicDir: !isSsrBuild,
    target: isSsrBuild ? 'node20' : 'es2022',
    // The content policy of the page forbids inline scripts and data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
}));
