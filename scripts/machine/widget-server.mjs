/**
 * The development server of the widget. It stands in front of the cashier, on the cashier's address: it serves the widget's
 * sources and their changes, and passes everything else on. So the cashier itself has no setting for development.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from 'vite';
import { readDictionaries } from '../locales/dictionaries.mjs';
import { cache, root } from './paths.mjs';

const widget = join(root, 'apps/widget');
const product = process.env['PRODUCT'] ?? 'cashier';
/** Addresses of the development server itself. It also serves languages and icons, and passes on those that it does not have. */
const own = `${product}/(?:@|src/|node_modules/)`;

/**
 * Starts the server, and writes the folder that the cashier takes for the widget's build: the page that loads the sources.
 *
 * @param {{ port: number, host: string, publicUrl: string, cashier: string, folder?: string }} options `cashier` is the origin
 *   behind it, `folder` receives the page
 * @returns {Promise<{ folder: string, close: () => Promise<void> }>} `folder` is for WIDGET_DIR
 * @throws when the port is taken
 */
export async function startWidgetServer({ port, host, publicUrl, cashier, folder = join(cache, 'widget-page') }) {
  const server = await createServer({
    root: widget,
    configFile: join(widget, 'vite.config.ts'),
    cacheDir: join(cache, 'widget-server'),
    clearScreen: false,
    logLevel: 'warn',
    appType: 'custom',
    server: {
      port,
      host,
      strictPort: true,
      allowedHosts: [new URL(publicUrl).hostname],
      // Not below the addresses that are passed on.
      hmr: { path: '@changes' },
      // Only what the first page asks for. A module that no page uses, such as a test, would reload the page at each change.
      warmup: { clientFiles: ['src/main.tsx', 'src/app/shell/app.tsx', 'src/screens/method-list/method-list.tsx'] },
      proxy: { [`^/(?!${own})`]: { target: cashier, ws: true, configure: loosenPolicy } },
    },
  });
  mkdirSync(join(folder, 'server'), { recursive: true });
  const writePage = async () => {
    const html = readFileSync(join(widget, 'index.html'), 'utf8');
    writeFileSync(join(folder, 'index.html'), await server.transformIndexHtml(`/${product}/`, html));
  };
  await writePage();
  // What operators can replace (apps/server/src/own-texts).
  const texts = JSON.stringify(Object.fromEntries(readDictionaries(join(root, 'locales'))));
  writeFileSync(join(folder, 'server/texts.json'), texts);
  server.watcher.on('change', (file) => {
    if (file !== join(widget, 'index.html')) return;
    void writePage().then(
      () => server.hot.send({ type: 'full-reload' }),
      (error) => console.error(`The widget's page could not be made: ${error.message}`),
    );
  });
  await server.listen();
  return { folder, close: () => server.close() };
}

/**
 * Edited styles arrive as style elements, and the message about a broken source is written as HTML. The cashier's policy forbids
 * both. Scripts stay as strict as they are.
 */
function loosenPolicy(proxy) {
  proxy.on('proxyRes', ({ headers }) => {
    const policy = headers['content-security-policy'];
    if (typeof policy === 'string') headers['content-security-policy'] = policyOfDevelopment(policy);
  });
}

/** @param {string} policy of the cashier's page */
export function policyOfDevelopment(policy) {
  return policy
    .split('; ')
    .filter((directive) => !directive.startsWith('require-trusted-types-for '))
    .map((directive) => (directive.startsWith('style-src ') ? "style-src 'self' 'unsafe-inline'" : directive))
    .join('; ');
}
