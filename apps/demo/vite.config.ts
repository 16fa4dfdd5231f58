import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The operator's page, and the reference hosts that run in a browser. */
const pages = [
  'index.html',
  'hosts/iframe.html',
  'hosts/popup.html',
  'hosts/pwa/index.html',
  'hosts/pwa/service-worker.js',
];

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
    ...(!isSsrBuild && {
      rolldownOptions: {
        input: pages.map((page) => fileURLToPath(new URL(page, import.meta.url))),
        output: {
          // A worker's scope is the folder that it is served from, and its address must not change.
          entryFileNames: ({ name }) =>
            name === 'service-worker' ? 'hosts/pwa/service-worker.js' : 'assets/[name]-[hash].js',
        },
      },
    }),
  },
}));
