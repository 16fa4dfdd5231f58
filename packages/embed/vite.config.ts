import { defineConfig, type Plugin } from 'vite';

/** One script cannot be parted, so it fetches the parts that the build of modules has made; they lie beside it. */
const partsBesideTheScript: Plugin = {
  name: 'parts-beside-the-script',
  enforce: 'pre',
  resolveId: (source) =>
    /^\.\/(?:payments|doctor|element-class)\.ts$/.test(source)
      ? { id: source.replace('.ts', '.js'), external: 'relative' as unknown as boolean }
      : null,
};

/**
 * Two builds, by mode: modules (default: the SDK, the element and the wrappers, which share their code) and one
 * script for a page without a bundler (`--mode global`).
 */
export default defineConfig(({ mode }) => ({
  plugins: mode === 'global' ? [partsBesideTheScript] : [],
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: 'es2022',
    sourcemap: true,
    minify: true,
    lib:
      mode === 'global'
        ? { entry: 'src/global.ts', name: 'OpenCashier', formats: ['iife'], fileName: () => 'cashier.global.js' }
        : {
            entry: {
              cashier: 'src/cashier.ts',
              element: 'src/element.ts',
              'element-class': 'src/element-class.ts',
              react: 'src/react.tsx',
              vue: 'src/vue.ts',
              svelte: 'src/svelte.ts',
            },
            formats: ['es'],
          },
    rolldownOptions: {
      external: [/^react(\/|$)/, 'vue'],
      // One file is the whole SDK; the element and the wrapper import it instead of a nameless third.
      preserveEntrySignatures: 'allow-extension',
      output: {
        minify: true,
        // It tells React's server that this component runs in the browser.
        banner: ({ name }) => (name === 'react' ? "'use client';" : ''),
        // A bundler drops unused code with the help of annotations. The SDK has none, so they would only be weight.
        comments: { annotation: false },
        chunkFileNames: '[name].js',
        generatedCode: { symbols: false },
      },
    },
  },
}));
