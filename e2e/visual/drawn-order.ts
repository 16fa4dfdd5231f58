/** In which order a text stands on the screen, by the places of its letters: what a browser makes of two directions in one line. */
import type { Page } from '@playwright/test';

interface Place {
  readonly within: string;
  /** A regular expression; everything inside when absent. */
  readonly text?: string;
}

/**
 * The first such text as it is drawn: its letters from left to right, line by line, without blanks and without what is not seen.
 * Undefined when there is none.
 */
export function drawnOrder(page: Page, place: Place): Promise<string | undefined> {
  return page.evaluate(({ within, text = '[^]+' }) => {
    for (const element of document.querySelectorAll(within)) {
      if (!element.checkVisibility()) continue;
      const letters: { node: Node; at: number; letter: string }[] = [];
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
        letters.push(...(node.nodeValue ?? '').split('').map((letter, at) => ({ node: node as Node, at, letter })));
      const found = new RegExp(text, 'u').exec(letters.map(({ letter }) => letter).join(''));
      if (found === null) continue;
      const boxes = letters.slice(found.index, found.index + found[0].length).flatMap(({ node, at, letter }) => {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const [box] = range.getClientRects();
        return box === undefined || box.width === 0 || /[\s\p{Cf}]/u.test(letter) ? [] : [{ letter, box }];
      });
      const lines: (typeof boxes)[] = [];
      for (const one of boxes.toSorted((a, b) => a.box.bottom - b.box.bottom)) {
        const line = lines.at(-1);
        if (line?.[0] !== undefined && one.box.bottom - line[0].box.bottom < one.box.height / 2) line.push(one);
        else lines.push([one]);
      }
      return lines
        .flatMap((line) => line.toSorted((a, b) => a.box.left - b.box.left))
        .map(({ letter }) => letter)
        .join('');
    }
    return undefined;
  }, place);
}

/** What Intl of the browser writes in the language of the page, and how that is drawn when nothing stands around it. */
export async function drawnByIntl(
  page: Page,
  what: { readonly amount: number; readonly currency: string; readonly decimals: number } | { readonly time: number },
): Promise<{ readonly written: string; readonly drawn: string }> {
  const written = await page.evaluate((given) => {
    const { lang, dir } = document.documentElement;
    const text =
      'time' in given
        ? new Intl.DateTimeFormat(lang, { hour: 'numeric', minute: '2-digit', day: 'numeric', month: 'long' })
            .format(given.time)
            // A clock with Latin letters is a word of its own among words from the right.
            .replace(/\d{1,2}:\d{2}\s[AP]M/u, '\u2066$&\u2069')
        : new Intl.NumberFormat(lang, {
            style: 'currency',
            currency: given.currency,
            currencyDisplay: 'narrowSymbol',
            minimumFractionDigits: given.decimals,
          }).format(given.amount);
    const alone = document.createElement('p');
    Object.assign(alone, { id: 'alone', dir, textContent: text });
    document.body.append(alone);
    return text;
  }, what);
  const drawn = await drawnOrder(page, { within: '#alone' });
  await page.locator('#alone').evaluate((alone) => alone.remove());
  if (drawn === undefined) throw new Error(`${written} is not drawn.`);
  return { written, drawn };
}
