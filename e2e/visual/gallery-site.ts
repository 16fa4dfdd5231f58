/** The built gallery, on a free port. */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const folder = join(import.meta.dirname, '../../apps/widget/gallery/dist/site');
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** @returns its origin, and how to stop it */
export async function serveGallery(): Promise<{ readonly origin: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://gallery');
    // Paths of states have no extension. Only files have one.
    const file = extname(pathname) === '' ? '/index.html' : pathname;
    const path = join(folder, file);
    if (!existsSync(path)) return void response.writeHead(404).end();
    const content = readFileSync(path);
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' });
    // The symbol in an icon of a currency uses a font of the machine.
    response.end(extname(path) === '.svg' ? content.toString().replace(/<text .*<\/text>/, '') : content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
