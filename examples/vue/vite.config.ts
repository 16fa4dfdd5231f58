import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

/** The backend of this site runs beside the page. */
const backend = process.env['BACKEND_URL'] ?? 'http://localhost:4000';

export default defineConfig({
  plugins: [vue()],
  build: { target: 'es2022' },
  server: { port: 4001, proxy: { '/api': backend } },
});
