import node from '@astrojs/node';
import { defineConfig, envField } from 'astro/config';

const secret = envField.string({ context: 'server', access: 'secret' });

export default defineConfig({
  // Each user has an own page, so nothing is made at the build.
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  // What `opencashier create-operator` has printed. Astro reads it where the server runs, and keeps it out of the browser.
  env: { schema: { CASHIER_URL: secret, PARTNER: secret, OPERATOR_KEY: secret, WEBHOOK_SECRET: secret } },
});
