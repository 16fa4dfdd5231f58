import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DemoPage, expect, test } from '../stack/test.ts';

interface InventoryEntry {
  readonly file: string;
  readonly integrity: string;
  readonly purpose: string;
}

const place = fileURLToPath(new URL('../../apps/widget/dist/script-inventory.json', import.meta.url));

test('[SRV-9] on the list and on a payment page a browser loads the scripts of the inventory, byte by byte, and no others', async ({
  page,
  stack,
}) => {
  const inventory = new Map(
    (JSON.parse(readFileSync(place, 'utf8')) as InventoryEntry[]).map((entry) => [entry.file, entry]),
  );
  const loaded: { address: string; integrity: Promise<string> }[] = [];
  page.on('response', (response) => {
    // Scripts of the operator's own page belong to the operator's inventory.
    if (response.request().resourceType() !== 'script' || response.frame() === page.mainFrame()) return;
    const integrity = response.body().then((body) => `sha384-${createHash('sha384').update(body).digest('base64')}`);
    loaded.push({ address: response.url(), integrity });
  });

  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'USD', country: 'IN' });
  await demo.openCashier();
  const withList = loaded.length;
  await demo.choose('Bank card');
  await demo.deposit('25.00');
  await expect(demo.widget.getByText('Waiting for your payment')).toBeVisible();
  // Each step loaded scripts, or the comparison below would compare nothing.
  expect(withList).toBeGreaterThan(3);
  expect(loaded.length).toBeGreaterThan(withList);

  const base = `${stack.cashierUrl}/cashier/`;
  for (const { address, integrity } of loaded) {
    expect(address.startsWith(base), address).toBe(true);
    const entry = inventory.get(address.slice(base.length));
    expect(entry?.integrity, address).toBe(await integrity);
    expect(entry?.purpose, address).toMatch(/\w/);
  }
  const frame = page.frames().find((one) => one.url().startsWith(base));
  // A script inside the page is in the inventory, too. Data is no script.
  const inline = await frame?.evaluate(() =>
    [...document.scripts]
      .filter((script) => script.src === '' && script.type !== 'application/json')
      .map((script) => script.text),
  );
  const hashes = inline?.map((code) => `sha384-${createHash('sha384').update(code).digest('base64')}`);
  expect(hashes).toEqual([inventory.get('index.html')?.integrity]);
});
