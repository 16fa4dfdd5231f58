/**
 * How fast the first tap of a payer is answered: every tile of the idle list, of deposits and of withdrawals. The phone and its
 * network are slow. A real mouse event taps. Times run from the event's own time stamp to the paint.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { median } from './load.mjs';

/**
 * Countries of the sandbox whose lists reach every flow, each with a currency of its own. `view`: another product than the main.
 */
export const places = [
  { country: 'IN', currency: 'INR' },
  { country: 'BR', currency: 'BRL' },
  { country: 'DE', currency: 'EUR' },
  { country: 'NG', currency: 'NGN' },
  { country: 'KG', currency: 'KGS' },
  { country: 'KZ', currency: 'KZT' },
  { country: 'IN', currency: 'INR', view: 'cryptobalance' },
  { country: 'IN', currency: 'INR', view: 'sweep' },
];

/** The list of each way in each product, below the base. */
const lists = {
  main: { deposit: '/deposit', withdrawal: '/withdrawal' },
  cryptobalance: { deposit: '/cryptobalance/deposit/fiat', withdrawal: '/cryptobalance/withdrawal' },
  sweep: { withdrawal: '/withdrawal' },
};

/** What the page does under the taps, for `addInitScript`: it runs in every frame and is given nothing. */
function watchTaps() {
  const now = () => performance.now();
  const painted = (then) => requestAnimationFrame(() => setTimeout(() => then(now())));
  let tap;
  const look = () => {
    if (!tap?.at || tap.formAt) return;
    const sheet = document.querySelector('dialog[open]');
    const isAway = sheet !== null || (tap.old && !tap.old.isConnected);
    if (!isAway) return;
    const where = sheet ?? document.querySelector('main');
    if (!where) return;
    const note = (name) => {
      if (tap[name]) return;
      tap[name] = now();
      const mine = tap;
      painted((at) => {
        mine[`${name}Painted`] = at;
      });
    };
    note('pageAt');
    // The method's own heading, a field or a tile: a skeleton has none of them.
    if (where.querySelector('input,select,textarea,[role=combobox],[role=option],[data-part=tile],h2,bdi'))
      note('formAt');
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
  addEventListener(
    'click',
    (event) => {
      if (!tap || tap.at) return;
      tap.at = event.timeStamp;
      const mine = tap;
      painted((at) => {
        mine.firstPainted = at;
      });
    },
    true,
  );
  if (PerformanceObserver.supportedEntryTypes.includes('layout-shift')) {
    new PerformanceObserver((list) => {
      for (const { value, startTime, sources } of list.getEntries()) {
        // What changes with the page itself is no shift of the page.
        if (tap?.formAtPainted && startTime > tap.formAtPainted) {
          tap.shift = (tap.shift ?? 0) + value;
          for (const { node } of sources) tap.moved.push(node?.outerHTML?.slice(0, 80) ?? String(node?.nodeName));
        }
      }
    }).observe({ type: 'layout-shift' });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) if (tap?.at) tap.longest = Math.max(tap.longest ?? 0, duration);
    }).observe({ type: 'longtask' });
  }
  const titleOf = (tile) => document.getElementById(tile.getAttribute('aria-labelledby'))?.textContent ?? 'region';
  const tiles = () => [
    ...document.querySelectorAll('main [data-part=tile]:not([aria-disabled]), main [aria-haspopup=dialog]'),
  ];
  Object.assign(window, {
    titles: () => tiles().map(titleOf),
    middleOf(title) {
      const tile = tiles().find((one) => titleOf(one) === title);
      tile.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { left, top, width, height } = tile.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    },
    armTap() {
      tap = { old: document.querySelector('main > *'), moved: [] };
    },
    readTap() {
      const since = (at) => (at === undefined ? undefined : at - tap.at);
      return {
        first: since(tap.firstPainted),
        page: since(tap.pageAtPainted),
        form: since(tap.formAtPainted),
        longest: tap.longest ?? 0,
        shift: tap.shift ?? 0,
        moved: tap.moved,
        path: location.pathname,
      };
    },
  });
}

/** A quick tap of a finger. */
const PRESS_MS = 80;

const profile = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };

/** A page of the host with the cashier on it, which can be tapped. */
class TappedPage {
  /** The idle list of a place. */
  static async openList(stage, { country, currency, view = 'main' }, way) {
    const userId = `taps-${Math.random().toString(36).slice(2)}`;
    const token = await stage.mintToken({ userId, currency, country });
    const payload = { token, userId, currency, paymentGeo: country, locale: 'en', widgetViewType: view };
    return TappedPage.open(stage, `${stage.cashierUrl}/cashier${lists[view][way]}?partner=demo&locale=en`, payload);
  }

  /** Any page with tiles in the host's frame, when it is idle. */
  static async open({ browser, hostOrigin }, address, payload) {
    const context = await browser.newContext({ viewport: { width: 390, height: 800 } });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const opened = new TappedPage(context, page, address);
    opened.#listen(session);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', profile);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.addInitScript(watchTaps);
    await page.goto(`${hostOrigin}/`);
    await page.evaluate(
      ({ address, payload }) => {
        addEventListener('message', ({ data }) => {
          if (data?.messageType !== 'Loaded') return;
          frame.contentWindow.postMessage({ messageType: 'loaded', payload }, new URL(address).origin);
        });
        const frame = document.createElement('iframe');
        frame.style.cssText = 'width:390px;height:780px;border:0';
        frame.src = address;
        document.body.replaceChildren(frame);
      },
      { address, payload },
    );
    await page.frameLocator('iframe').locator('[data-part=tile]').first().waitFor({ timeout: 60_000 });
    await opened.idle(2500);
    return opened;
  }

  constructor(context, page, address) {
    this.context = context;
    this.page = page;
    this.address = address;
    this.requests = [];
    this.waiting = new Set();
    this.lastNoise = Date.now();
  }

  #listen(session) {
    const noise = () => {
      this.lastNoise = Date.now();
    };
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      noise();
      if (/^data:|^blob:/.test(request.url)) return;
      this.waiting.add(requestId);
      this.requests.push({ kind: 'file', name: new URL(request.url).pathname.split('/').pop() });
    });
    const ended = ({ requestId }) => {
      noise();
      this.waiting.delete(requestId);
    };
    session.on('Network.loadingFinished', ended);
    session.on('Network.loadingFailed', ended);
    session.on('Network.webSocketFrameReceived', noise);
    session.on('Network.webSocketFrameSent', ({ response }) => {
      const [, name] = response.payloadData.match(/^42\d*\["([^"]+)"/) ?? [];
      if (name === undefined) return;
      noise();
      this.requests.push({ kind: 'call', name });
    });
  }

  get frame() {
    return this.page.frames().find((frame) => frame !== this.page.mainFrame());
  }

  /** Waits until the network has been quiet for so long. */
  async idle(quietMs) {
    while (this.waiting.size > 0 || Date.now() - this.lastNoise < quietMs) await pause(50);
  }

  /** The titles of what can be tapped, in the order of the page. */
  titles() {
    return this.frame.evaluate(() => window.titles());
  }

  /** Taps the tile with a title, and waits until its page is there and the network quiet. */
  async tap(title) {
    const at = await this.frame.evaluate((one) => window.middleOf(one), title);
    const frame = await this.page.locator('iframe').boundingBox();
    await this.page.mouse.move(1, 1);
    await this.idle(250);
    await this.frame.evaluate(() => window.armTap());
    const before = this.requests.length;
    // A finger stays on the glass this long. The times run from its lift.
    await this.page.mouse.move(frame.x + at.x, frame.y + at.y);
    await this.page.mouse.down();
    await pause(PRESS_MS);
    await this.page.mouse.up();
    const stop = Date.now() + 15_000;
    for (;;) {
      await pause(60);
      const read = await this.frame.evaluate(() => window.readTap());
      if (read.form !== undefined || Date.now() > stop) break;
    }
    await this.idle(450);
    const read = await this.frame.evaluate(() => window.readTap());
    return { ...read, requests: this.requests.slice(before) };
  }

  /** Goes back to the list it came from. */
  async back(path) {
    const isSheet = await this.frame.evaluate(() => document.querySelector('dialog[open]') !== null);
    if (isSheet) await this.page.keyboard.press('Escape');
    else await this.frame.locator('header button').first().click();
    await this.frame.waitForFunction(
      (list) =>
        location.pathname === list &&
        document.querySelector('main [data-part=tile]') &&
        !document.querySelector('dialog[open]'),
      path,
    );
    await this.idle(300);
  }

  async close() {
    await this.context.close();
  }
}

/** The yardstick: taps on a row of the page of React alone, each on a fresh page. @returns {Promise<number>} the median, in ms */
export async function measureReactTaps(stage, rounds) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const page = await TappedPage.open(stage, `${stage.hostOrigin}/rows/index.html`, {});
    times.push((await page.tap('Bank card')).form);
    await page.close();
  }
  return median(times);
}

/** The pattern of an address: names of methods and groups are left out. */
const patternOf = (path) =>
  path
    .replace(/^\/cashier/, '')
    .replace(
      /(redirect|india|cash|onramp|peer-to-peer|crypto|nigerian-banks|host-to-host|group)\/(?!group|redirect)[^/]+/g,
      '$1/:name',
    );

/**
 * Taps everything.
 *
 * @param {{ browser: object, hostOrigin: string, cashierUrl: string, mintToken(user: object): Promise<string> }} stage
 * @param {{ only?: readonly string[] }} options `only`: countries, such as `IN`
 * @returns {Promise<{ place: string, way: string, title: string, pattern: string, isFresh: boolean, first: number, page: number,
 *   form: number, longest: number, shift: number, requests: { kind: string, name: string }[] }[]>}
 */
export async function measureTaps(stage, { only } = {}) {
  const taps = [];
  for (const place of places.filter(({ country }) => only === undefined || only.includes(country))) {
    for (const way of Object.keys(lists[place.view ?? 'main'])) {
      taps.push(...(await measureList(stage, place, way)));
    }
  }
  return taps;
}

async function measureList(stage, place, way) {
  const of = { place: `${place.country} ${place.view ?? ''}`.trim(), way };
  const taps = [];
  const kinds = new Map();
  const page = await TappedPage.openList(stage, place, way);
  const list = await page.frame.evaluate(() => location.pathname);
  const note = (title, tap, isFresh) =>
    console.error(of.way, title, JSON.stringify(tap)) ??
    taps.push({ ...of, title, pattern: patternOf(tap.path), isFresh, ...tap });
  const titles = await page.titles();
  for (const title of new Set(titles)) {
    const tap = await page.tap(title);
    note(title, tap, false);

    kinds.set(patternOf(tap.path), kinds.get(patternOf(tap.path)) ?? title);
    const inside = /group|\/crypto$/.test(tap.path) ? await page.titles() : [];
    if (inside.length > 0) {
      note(`${title} / ${inside[0]}`, await page.tap(inside[0]), false);
      await page.back(tap.path);
    }
    await page.back(list);
  }
  await page.close();
  for (const title of kinds.values()) {
    const fresh = await TappedPage.openList(stage, place, way);
    note(title, await fresh.tap(title), true);
    await fresh.close();
  }
  return taps;
}

const ms = (value) => (value === undefined ? 'none' : value.toFixed(0));

/** The taps as a table: one row for a list and a kind of page, with its ratio to React alone. `all`: one row for each tap. */
export function tapTable(taps, { all = false, yardstick }) {
  const groups = new Map();
  for (const tap of taps) {
    const key = `${tap.place} ${tap.way} | ${tap.pattern}${tap.isFresh ? ' (fresh)' : ''}${all ? ` ${tap.title}` : ''}`;
    groups.set(key, [...(groups.get(key) ?? []), tap]);
  }
  const rows = [...groups].map(([key, group]) => {
    const worst = group.reduce((a, b) => ((b.form ?? 1e9) > (a.form ?? 1e9) ? b : a));
    const names = (kind) => [
      ...new Set(
        group.flatMap(({ requests }) => requests.filter((request) => request.kind === kind).map(({ name }) => name)),
      ),
    ];
    const files = Math.max(...group.map(({ requests }) => requests.filter(({ kind }) => kind === 'file').length));
    return `| ${key} | ${group.length} | ${ms(median(group.map(({ first }) => first ?? 1e5)))} | ${ms(median(group.map(({ form }) => form ?? 1e5)))} | ${ms(worst.form)} | ${(median(group.map(({ form }) => form ?? 1e5)) / yardstick).toFixed(1)} | ${Math.max(...group.map(({ longest }) => longest)).toFixed(0)} | ${files} | ${names('call').join(' ')} | ${Math.max(...group.map(({ shift }) => shift)).toFixed(3)} |`;
  });
  return [
    '| list | page | taps | first paint | form, median | form, worst | to React alone | longest task | files | calls | shift |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
