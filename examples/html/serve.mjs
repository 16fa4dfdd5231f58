/** `node serve.mjs`: the page, the files of the SDK, and the backend's addresses under one origin. */
import { readFile } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const sdk = dirname(fileURLToPath(import.meta.resolve('@opencashier/embed')));
const backend = new URL(process.env.BACKEND_URL ?? 'http://localhost:4000');
const types = { '.html': 'text/html', '.js': 'text/javascript' };

createServer(async (request, response) => {
  const path = new URL(request.url ?? '/', 'http://page').pathname;
  if (path.startsWith('/api/')) {
    const { method, headers } = request;
    const passed = forward(new URL(path, backend), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.writeHead(502).end());
    request.pipe(passed);
    return;
  }
  const file = /^\/opencashier\/[\w.-]+\.js$/.test(path)
    ? join(sdk, path.slice('/opencashier/'.length))
    : path === '/page.js'
      ? join(here, 'page.js')
      : path === '/'
        ? join(here, 'index.html')
        : undefined;
  try {
    if (file === undefined) throw new Error('unknown');
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(await readFile(file));
  } catch {
    // An unknown address, or a part of the SDK that this version does not have.
    response.writeHead(404).end();
  }
}).listen(Number(process.env.PORT ?? 4001), () => console.log('The page is on http://localhost:4001'));
