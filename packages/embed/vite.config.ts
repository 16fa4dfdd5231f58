import { defineConfig } from 'vite';

/**
 * Two builds, by mode: modules (default: the SDK, the element and the React wrapper, which share their code) and one
 * script for a page without a bundler (`--mode global`).
 */
export default defineConfig(({ mode }) => ({
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: 'es2022',
    sourcemap: true,
    minify: true,
    lib:
      mode === 'global'
        ? { entry: 'src/global.ts', name: 'OpenCashier', formats: ['iife'], fileName: () => 'cashier.global.js' }
        : { entry: { cashier: 'src/cashier.ts', element: 'src/element.ts', react: 'src/react.tsx' }, formats: ['es'] },
    rolldownOptions: {
      external: [/^react(\/|$)/],
      // One file is the whole SDK; the element and the wrapper import it instead of a nameless third.
      preserveEntrySignatures: 'allow-extension',
      output: { minify: true },
    },
  },
}));
