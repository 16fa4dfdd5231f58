import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The backend of this site runs beside the page. */
const backend = process.env['BACKEND_URL'] ?? 'http://localhost:4000';

export default defineConfig({
  plugins: [react()],
  build: { target: 'es2022' },
  server: { port: 4001, proxy: { '/api': backend } },
});
