/**
 * The first list of methods in the widget's page: what the server draws before it knows the user, and what the widget continues
 * from. Only types: both sides come from one build.
 */
import type { MethodList } from '../api/payment-method.ts';

/** What the address of the page says (HOST-8, LIST-1). It names no user, and nothing in it is secret. */
export interface FirstListFacts {
  readonly direction: 'deposit' | 'withdrawal';
  /** ISO 3166 alpha-2. */
  readonly country: string;
  readonly currency: string;
  /** Whether the host wants the close button (HOST-14). */
  readonly hasClose: boolean;
  /** Whether the host has a bonus in this currency. The page keeps a place for it. */
  readonly hasBonus: boolean;
}

/** The data of a drawn list. The page carries it as JSON in the element `first-list`. */
export interface FirstList extends FirstListFacts {
  /** The language of the texts, as its file is named: `hi-Latn-IN`. */
  readonly locale: string;
  /** The locale of numbers and names in the drawing. */
  readonly formatLocale: string;
  /** Without a balance and without anything else of a user. */
  readonly list: MethodList;
}

/** The page that a tile of the list opens, drawn before anybody taps the tile (UI-5). */
export interface TilePage {
  /** What the tile opens, as its attribute `data-opens` says. */
  readonly opens: string;
  /** Absent: the tile opens the same page on every device. */
  readonly device?: 'phone' | 'desktop';
  /** The content of the page's root element. */
  readonly html: string;
}

export interface FirstListDrawing {
  /** The content of the page's root element. */
  readonly html: string;
  /** In the order of the tiles. A tile whose page cannot be drawn has none. */
  readonly tilePages: readonly TilePage[];
  /** Plain text. */
  readonly title: string;
  readonly direction: 'ltr' | 'rtl';
  readonly data: FirstList;
}

/** What the widget's build gives the server for drawing (`server/first-list.js` of the build). */
export interface FirstListRenderer {
  /**
   * The file of texts for a locale as a host writes it, inside the build; undefined when the build has no such language.
   *
   * @param asked BCP 47, such as `en-GB`
   */
  textsFileOf(asked: string): { readonly locale: string; readonly file: string } | undefined;
  /**
   * Draws the list as the widget's first screen.
   *
   * @param texts the content of the file of texts; only the widget's build knows its form
   */
  drawFirstList(facts: FirstListFacts, list: MethodList, asked: string, texts: unknown): Promise<FirstListDrawing>;
}
