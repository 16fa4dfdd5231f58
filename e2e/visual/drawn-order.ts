/** The visual order of a text by the positions of its letters, for lines with two writing directions. */
import type { Page } from '@playwright/test';

interface Place {
  readonly within: string;
  /** A regular expression. Absent: the whole text. */
  readonly text?: string;
}

/**
 * The first matching text as it is drawn: its visible letters from left to right, line by line, without blanks. Undefined when there
 * is none.
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

/** The text that the browser's Intl writes in the language of the page, and its visual order without any text around it. */
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
            // A time with Latin letters is a word of its own among right-to-left words.
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
