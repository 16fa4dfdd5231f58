import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { iconFiles } from '../build/icon-files.ts';
import { localeFiles } from '../build/locale-files.ts';

/** The gallery of every state: a page for developers of the cashier, which is never shipped. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  publicDir: false,
  plugins: [react(), localeFiles({ withMadeUp: true }), iconFiles()],
  preview: { port: Number(process.env['GALLERY_PORT'] ?? 3002), strictPort: true },
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    reportCompressedSize: false,
    modulePreload: false,
    chunkSizeWarningLimit: 4000,
    // One file, so that screens that the product loads later are there at once.
    rolldownOptions: { output: { codeSplitting: false } },
  },
});
