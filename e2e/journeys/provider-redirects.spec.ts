import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { test as base, DemoPage, expect } from '../stack/test.ts';

/** A provider's first page on an origin of its own. It redirects a posted form to another origin, as to a bank's site. */
interface FrontDoor {
  readonly origin: string;
  /** The received bodies. */
  readonly posts: { readonly path: string; readonly body: string }[];
  /** The origin to which it redirects; the path stays. */
  onward: string;
}

const test = base.extend<object, { door: FrontDoor }>({
  door: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs out of this pattern.
    async ({}, use) => {
      const posts: FrontDoor['posts'] = [];
      const server = createServer(async (request, response) => {
        const path = request.url ?? '/';
        if (request.method === 'POST') posts.push({ path, body: await bodyOf(request) });
        // 303: the browser continues with GET and without the posted fields.
        response.writeHead(303, { location: `${door.onward}${path}` }).end();
      });
      const door: FrontDoor = { origin: `http://127.0.0.1:${await listen(server)}`, posts, onward: '' };
      await use(door);
      server.closeAllConnections();
      server.close();
    },
    { scope: 'worker' },
  ],
  stackOptions: [({ door }, use) => use({ env: { SANDBOX_URL: door.origin } }), { scope: 'worker' }],
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

test('[DEP-3] a provider whose address for forms leads on to another origin is reached, and gets the form once', async ({
  page,
  stack,
  door,
}) => {
  // The sandbox's pages have a third origin: neither the cashier's nor the first page's.
  door.onward = stack.providerUrl;
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'INR', country: 'IN' });
  await demo.openCashier();
  await demo.widget.getByRole('searchbox').fill('IMPS');
  await demo.choose('IMPS bank transfer');
  const refused: string[] = [];
  page.context().on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) refused.push(message.text());
  });
  const popup = await demo.deposit('1500');
  await expect(popup.getByRole('button', { name: 'Approve', exact: true })).toBeVisible();
  expect(new URL(popup.url()).origin).toBe(stack.providerUrl);
  expect(door.posts).toEqual([
    { path: expect.stringMatching(/^\/sandbox\/pay\/sbx_/), body: expect.stringContaining('currency=INR') },
  ]);
  expect(refused).toEqual([]);
  await popup.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
});
