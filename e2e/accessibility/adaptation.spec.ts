import { HostPage } from '../stack/host-page.ts';
import { expect, test } from '../stack/test.ts';
import { fundedUser } from '../stack/withdrawing.ts';

test.describe.configure({ timeout: 300_000 });
test.use({ viewport: { width: 390, height: 844 } });

/** `ADAPTATION_PICTURES=1` writes screenshots into test-results/adaptation. */
const takesPictures = process.env['ADAPTATION_PICTURES'] === '1';

/** Settings of a person: text size, text spacing, and the size of the frame. */
const settings = [
  { name: 'text of 200 %', width: 390, height: 800, css: 'html { font-size: 200%; }' },
  { name: '320 pixels', width: 320, height: 256, css: '' },
  {
    name: 'spaced text',
    width: 390,
    height: 800,
    css: `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
          p { margin-block-end: 2em !important; }`,
  },
  { name: 'landscape', width: 640, height: 320, css: '' },
  { name: 'text of 200 % at 320 pixels', width: 320, height: 640, css: 'html { font-size: 200%; }' },
] as const;

/** Runs in the page. Finds elements that are cut off, outside of the page, or cannot be scrolled into view. */
function problemsHere(): string[] {
  const problems: string[] = [];
  const html = document.documentElement;
  // A sheet that still slides in has no final position yet.
  for (const animation of document.getAnimations()) {
    if (Number.isFinite(Number(animation.effect?.getComputedTiming().endTime))) animation.finish();
  }
  if (html.scrollWidth > html.clientWidth)
    problems.push(`scrolls sideways by ${html.scrollWidth - html.clientWidth} px`);
  const root = document.querySelector('dialog[open]') ?? document.body;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.nodeValue?.trim() || !element?.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    for (let around: Element | null = element; around !== null && around !== html; around = around.parentElement) {
      const { overflowX, overflowY, clipPath, textOverflow } = getComputedStyle(around);
      if (clipPath === 'inset(50%)' || [overflowX, overflowY].some((value) => /auto|scroll/.test(value))) break;
      const place = around.getBoundingClientRect();
      const isCut =
        (/hidden|clip/.test(overflowX) && (box.left < place.left - 2 || box.right > place.right + 2)) ||
        (/hidden|clip/.test(overflowY) && (box.top < place.top - 4 || box.bottom > place.bottom + 4));
      if (isCut) {
        problems.push(`"${node.nodeValue}" is cut off${textOverflow === 'ellipsis' ? ', with an ellipsis' : ''}`);
        break;
      }
    }
  }
  for (const field of root.querySelectorAll('input')) {
    if (field.scrollWidth > field.clientWidth + 4) problems.push(`"${field.value}" is cut off in its field`);
  }
  for (const control of root.querySelectorAll<HTMLElement>('button, a[href], input, select')) {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    control.scrollIntoView({ block: 'center', inline: 'center' });
    const { x, y, width, height } = (control.closest('label') ?? control).getBoundingClientRect();
    if (width === 0) continue;
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    const owner = control.closest('label') ?? control;
    if (top === null || !(owner.contains(top) || top.contains(owner)))
      problems.push(`${control.getAttribute('aria-label') ?? control.textContent} cannot be reached`);
  }
  window.scrollTo(0, 0);
  return problems;
}

/** Runs in the page. Finds controls that have no outline without backgrounds, and elements that still move. */
function statesWithoutColour(): string[] {
  const problems: string[] = [];
  for (const control of document.querySelectorAll<HTMLElement>('main button[class], main input:not([type=radio])')) {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const { backgroundColor, color } = getComputedStyle(control);
    if (backgroundColor === color) problems.push(`${control.textContent} cannot be read`);
    const isMarked = control.matches('[aria-pressed=true], [aria-checked=true], [aria-selected=true]');
    const plain = isMarked && control.parentElement?.querySelector('[aria-pressed=false], [aria-checked=false]');
    if (!plain) continue;
    const [one, other] = [getComputedStyle(control), getComputedStyle(plain)];
    const looks = ({
      borderColor,
      borderWidth,
      outlineStyle,
      backgroundColor: fill,
      fontWeight,
    }: CSSStyleDeclaration) => [borderColor, borderWidth, outlineStyle, fill, fontWeight].join(' ');
    if (looks(one) === looks(other)) problems.push(`${control.textContent} looks as if it were not chosen`);
  }
  for (const animation of document.getAnimations()) {
    const { duration, iterations } = animation.effect?.getComputedTiming() ?? {};
    if (Number(duration) > 10 || iterations === Number.POSITIVE_INFINITY) problems.push('something moves');
  }
  return problems;
}

const walks = [
  {
    name: 'a deposit',
    person: { currency: 'INR', country: 'IN' },
    screens: [
      ['/deposit', 'main li button'],
      ['/deposit/region', 'dialog [aria-selected=true]'],
      ['/deposit/redirect/card', 'button[type=submit]'],
      ['/deposit/redirect/card/instruction', 'main ol li'],
      ['/deposit/crypto/usdt', 'main bdi'],
      ['/deposit/onramp/onramp_card', 'button[type=submit]'],
      ['/error', 'main button'],
    ],
  },
  {
    name: 'a withdrawal',
    person: { currency: 'NGN', country: 'NG' },
    screens: [
      ['/withdrawal/redirect/card_withdrawal', 'input[name=cardNumber]'],
      ['/withdrawal/nigerian-banks/nigerian_banks', 'main li button'],
      ['/withdrawal/nigerian-banks/nigerian_banks/account?bank=011', 'input[name=accountNumber]'],
    ],
  },
] as const;

for (const { name, person, screens } of walks) {
  test(`[UI-3] [UI-4] ${name} at 200 % text, 400 % zoom, spaced text, in landscape, forced colours and stillness`, async ({
    page,
    stack,
    site,
  }) => {
    const host = new HostPage(page, stack, site);
    const userId = person.currency === 'NGN' ? { userId: await fundedUser(stack, 'NGN', '250000.00') } : {};
    await host.open('/form', { ...person, ...userId, payload: { transport: 'http' } });
    const frame = host.frame();
    // A style sheet that a script makes: the page's policy allows no other foreign style.
    await frame.evaluate(() => document.adoptedStyleSheets.push(new CSSStyleSheet()));
    const problems: string[] = [];
    for (const [path, ready] of screens) {
      await expect(frame.locator(await host.follow(path, ready)).first(), path).toBeVisible();
      for (const { css, ...setting } of settings) {
        await page.locator('iframe').evaluate((element, { width, height }) => {
          element.setAttribute('width', String(width));
          element.setAttribute('height', String(height));
        }, setting);
        const size = await frame.evaluate((text) => {
          document.adoptedStyleSheets.at(-1)?.replaceSync(text);
          return getComputedStyle(document.documentElement).fontSize;
        }, css);
        expect(size, 'the setting is in force').toBe(css.includes('200%') ? '32px' : '16px');
        const found = await frame.evaluate(problemsHere);
        problems.push(...found.map((problem) => `${path}, ${setting.name}: ${problem}`));
        if (takesPictures) {
          const file = `${path.slice(1).replace(/\W+/g, '-')}-${setting.name.replace(/\W+/g, '-')}`;
          await page.locator('iframe').screenshot({ path: `test-results/adaptation/${file}.png` });
        }
      }
    }
    expect(problems).toEqual([]);

    // The browser reports forced colours, more contrast and reduced motion.
    await page.emulateMedia({ forcedColors: 'active', contrast: 'more', reducedMotion: 'reduce' });
    for (const [path, ready] of screens) {
      await expect(frame.locator(await host.follow(path, ready)).first(), path).toBeVisible();
      const found = await frame.evaluate(statesWithoutColour);
      expect(found, `${path} in forced colours`).toEqual([]);
      if (takesPictures)
        await page
          .locator('iframe')
          .screenshot({ path: `test-results/adaptation/forced-${path.replace(/\W+/g, '-')}.png` });
    }
  });
}
