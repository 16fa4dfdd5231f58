import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkFileName, chunkGroups, laterDependencies } from './build/chunks.ts';
import { className } from './build/class-names.ts';
import { criticalHtml } from './build/critical-html.ts';
import { iconFiles } from './build/icon-files.ts';
import { localeFiles } from './build/locale-files.ts';
import { noChunkCycles } from './build/no-chunk-cycles.ts';
import { precompress } from './build/precompress.ts';
import { product } from './build/product.ts';
import { scriptInventory } from './build/script-inventory.ts';

export default defineConfig({
  base: `/${product}/`,
  // index.html names the one entry; there is no folder of loose files.
  publicDir: false,
  plugins: [
    react(),
    localeFiles(),
    iconFiles(),
    criticalHtml(),
    noChunkCycles(),
    // After criticalHtml, which rewrites scripts, and before they are compressed.
    scriptInventory(),
    precompress(),
  ],
  css: { modules: { generateScopedName: className } },
  build: {
    outDir: 'dist',
    manifest: true,
    sourcemap: 'hidden',
    // A data: address would need a wider policy than 'self'.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: laterDependencies },
    reportCompressedSize: false,
    // What is shipped must carry the licences of what is in it.
    license: { fileName: 'licences.md' },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunkGroups },
        chunkFileNames: chunkFileName,
        entryFileNames: 'assets/boot-[hash:6].js',
        assetFileNames: 'assets/[hash:6][extname]',
      },
    },
  },
});
