/** On a slow network the browser paints what it has read of the drawn list. Nothing of it moves when more comes. */
import type { Page } from '@playwright/test';
import { HostPage } from '../stack/host-page.ts';
import { expect, test } from '../stack/test.ts';

/** The page in pieces: each tag of the list begins one, and so does each text after a tag. A packet may end anywhere. */
function piecesOf(html: string): string[] {
  const start = html.indexOf('<div id="root"');
  const end = html.indexOf('</main>', start);
  return [
    html.slice(0, start),
    ...html.slice(start, end).split(/(?=<[a-z])|(?<=<[a-z][^<>]*>)(?=[^<])/),
    html.slice(end),
  ];
}

/** Writes the pieces into a page, one for each frame. Answers the parts that have moved. */
async function shiftsWhileReading(page: Page, pieces: readonly string[]): Promise<string[]> {
  await page.goto('about:blank');
  return page.evaluate(async (texts) => {
    const frame = document.createElement('iframe');
    frame.style.cssText = 'border: 0; inline-size: 100vw; block-size: 100vh';
    document.body.style.margin = '0';
    document.body.replaceChildren(frame);
    const own = frame.contentWindow as (Window & typeof globalThis) | null;
    if (own === null) throw new Error('The frame has no window.');
    own.document.open();
    const shifts: string[] = [];
    const boxOf = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(' ');
    const add = (entries: PerformanceEntryList) => {
      for (const { sources } of entries as (PerformanceEntry & {
        sources: readonly { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
      })[]) {
        for (const { node, previousRect, currentRect } of sources) {
          const part = node instanceof own.Element ? node.outerHTML.slice(0, 80) : (node?.textContent ?? 'gone');
          shifts.push(`${part}: ${boxOf(previousRect)} -> ${boxOf(currentRect)}`);
        }
      }
    };
    const observer = new own.PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    for (const text of texts) {
      own.document.write(text);
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
    }
    own.document.close();
    add(observer.takeRecords());
    return shifts;
  }, pieces);
}

/** Devices of which some wallets are in the drawn list, and leave it while it is read. */
const devices = {
  // The page that is written here is no secure context, so it has neither.
  'with Google Pay alone': () => {
    Object.assign(window, { PaymentRequest: class {} });
    Object.defineProperty(navigator, 'userAgentData', { value: {} });
  },
  'with no wallet': () => Reflect.deleteProperty(window, 'PaymentRequest'),
};

for (const [device, prepare] of Object.entries(devices)) {
  for (const width of [390, 1280]) {
    test(`[LIST-2] [LIST-7] [UI-5] a list that comes in pieces moves nothing on a device ${device}, ${width} pixels wide`, async ({
      page,
      stack,
      site,
    }) => {
      await page.addInitScript(prepare);
      await page.setViewportSize({ width, height: 844 });
      const path = '/deposit?locale=en&country=GB&currency=GBP';
      const answer = await page.request.get(new HostPage(page, stack, site).address(path));
      const html = await answer.text();
      expect(html).toContain('data-wallet="apple"');
      expect(await shiftsWhileReading(page, piecesOf(html))).toEqual([]);
    });
  }
}

for (const path of [
  '/deposit?locale=en&country=IN&currency=INR',
  '/deposit?locale=ar-EG&country=BR&currency=BRL&theme=dark',
  '/deposit?locale=de&country=DE&currency=EUR',
  '/withdrawal?locale=ar-EG&country=BD&currency=BDT',
  '/withdrawal?locale=en&country=BR&currency=BRL',
]) {
  for (const width of [390, 1280]) {
    test(`[LIST-2] [UI-5] a list that comes in pieces moves nothing: ${path}, ${width} pixels wide`, async ({
      page,
      stack,
      site,
    }) => {
      await page.setViewportSize({ width, height: 844 });
      const answer = await page.request.get(new HostPage(page, stack, site).address(path));
      const pieces = piecesOf(await answer.text());
      expect(pieces.length).toBeGreaterThan(50);
      expect(await shiftsWhileReading(page, pieces)).toEqual([]);
    });
  }
}
