import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { iconFiles } from '../build/icon-files.ts';
import { localeFiles } from '../build/locale-files.ts';

/** The gallery of every state: a page for those who make the cashier, never a part of what is shipped. */
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
    // One file: a screen that is loaded later in the product is there at once, so that a state is still when it is shown.
    rolldownOptions: { output: { codeSplitting: false } },
  },
});
