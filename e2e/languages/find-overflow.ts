/**
 * Runs inside the widget's page: replaces its marks with the texts of each language, and finds texts that do not fit. Both functions
 * are sent into the page, so they use nothing outside of themselves.
 */
import type { Language } from './marked-texts.ts';

interface Mark {
  readonly node: Text | Attr;
  /** The text that the widget wrote. */
  readonly written: string;
  last: string;
}

declare global {
  interface Window {
    marks?: Mark[];
  }
}

/** Stores the places of all marks, and answers their keys. */
export function collectMarks(): string[] {
  const nodes: (Text | Attr)[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text) nodes.push(node);
    else if (node instanceof Element) nodes.push(...node.attributes);
  }
  const known = new Map((window.marks ?? []).map((mark) => [mark.node, mark]));
  window.marks = nodes.flatMap((node) => {
    const last = node.nodeValue ?? '';
    const mark = known.get(node);
    // A text that the widget has not written again still holds the last language.
    if (mark?.last === last) return mark;
    return last.includes('⟦') ? { node, written: last, last } : [];
  });
  return window.marks.flatMap(({ written }) => [...written.matchAll(/⟦([^¦⟧]+)/g)].map(([, key]) => key ?? ''));
}

interface Measured {
  /** How many texts were visible. */
  readonly seen: number;
  /** Texts that are cut off or leave the page. */
  readonly problems: string[];
}

/** Shows the marks in each language. The last language stays on the page. */
export function measureLanguages(languages: readonly Language[]): Measured {
  const html = document.documentElement;
  const marks = window.marks ?? [];

  const fill = (written: string, texts: Language['texts']): string => {
    let text = written;
    // From the inside out: a value inside a text may be a text itself.
    while (/⟦[^⟦⟧]*⟧/.test(text)) {
      text = text.replace(/⟦([^⟦⟧]*)⟧/g, (_, inside: string) => {
        const [key = '', ...params] = inside.split('¦');
        return params.reduce((filled, param) => {
          const [field = '', ...value] = param.split('=');
          return filled.replaceAll(`{${field}}`, value.join('='));
        }, texts[key] ?? key);
      });
    }
    return text;
  };

  const placeProblem = (node: Text, name: string): string | undefined => {
    const element = node.parentElement;
    if (!element?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return undefined;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width === 0) return undefined;
    const isShortened = getComputedStyle(element).textOverflow === 'ellipsis';
    // For a made-up language it is enough that a text is visibly cut off.
    if (name === 'pseudo' && isShortened) return '';
    const cut: string[] = [];
    for (let around: Element | null = element; around !== null && around !== html; around = around.parentElement) {
      const { overflowX, overflowY, position, clipPath } = getComputedStyle(around);
      // Only screen readers read this text.
      if (clipPath === 'inset(50%)') return undefined;
      const [clipsX, clipsY] = [overflowX, overflowY].map((value) => value === 'hidden' || value === 'clip');
      const place = around.getBoundingClientRect();
      // A row or a sheet that scrolls shows the rest of the text after scrolling.
      if ([overflowX, overflowY].some((value) => value === 'auto' || value === 'scroll')) break;
      if (clipsX && (box.left < place.left - 1.5 || box.right > place.right + 1.5)) cut.push('in width');
      // Letters may exceed their line a little when the font of another script replaces a missing one.
      if (clipsY && (box.top < place.top - 3 || box.bottom > place.bottom + 3)) cut.push('in height');
      if (position === 'fixed') break;
    }
    if (box.left < -1.5 || box.right > innerWidth + 1.5) cut.push('by the edge of the page');
    return [...new Set(cut)].join(' and ');
  };

  const problems = new Set<string>();
  let seen = 0;
  for (const { name, direction, texts } of languages) {
    html.dir = direction;
    html.lang = name;
    for (const mark of marks) {
      mark.last = fill(mark.written, texts);
      mark.node.nodeValue = mark.last;
    }
    const sideways = html.scrollWidth - html.clientWidth;
    if (sideways > 0) problems.add(`${name}: the page scrolls sideways by ${sideways} px`);
    // A row that scrolls sideways shows one element after the other, so each must fit.
    for (const pressed of document.querySelectorAll('main button, main a')) {
      if (pressed.getBoundingClientRect().width > innerWidth)
        problems.add(`${name}: "${pressed.textContent}" is wider than the page`);
    }
    for (const { node, last } of marks) {
      const problem = node instanceof Text ? placeProblem(node, name) : undefined;
      if (problem !== undefined) seen += 1;
      if (problem) problems.add(`${name}: "${last}" is cut off ${problem}`);
    }
  }
  return { seen, problems: [...problems] };
}
