import type { DropdownItem } from '@opencashier/contract/api';

/** A dropdown gets a search box above this many items (section 9). */
export const DROPDOWN_SEARCH_THRESHOLD = 5;

/** Whether a dropdown has a search box (FORM-7). */
export function needsDropdownSearch(itemCount: number, isSearchable: boolean): boolean {
  return isSearchable && itemCount > DROPDOWN_SEARCH_THRESHOLD;
}

/**
 * The items in which every word of the query stands, in whatever order, letter case and accents (FORM-7): `trust guaranty`
 * finds Guaranty Trust Bank, `turkiye` Türkiye. Those in which every word of the query begins a word come first: `ger` means
 * Germany before Nigeria. Otherwise their order stays.
 *
 * @param searched what of an item is searched; its text where left out
 */
export function searchDropdown<Item extends Pick<DropdownItem, 'text'>>(
  items: readonly Item[],
  query: string,
  searched: (item: Item) => string = ({ text }) => text,
): Item[] {
  const words = folded(query).trim().split(/\s+/);
  const found = items.flatMap((item) => {
    const text = folded(searched(item));
    if (!words.every((word) => text.includes(word))) return [];
    return [{ item, isBegun: words.every((word) => beginsWord(text, word)) }];
  });
  return [...found.filter(({ isBegun }) => isBegun), ...found.filter(({ isBegun }) => !isBegun)].map(
    ({ item }) => item,
  );
}

/** Whether `part` stands in `text` where a word begins: after nothing, or after what is no letter, mark or digit. */
const beginsWord = (text: string, part: string): boolean => {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (!/[\p{L}\p{M}\p{N}]$/u.test(text.slice(0, at))) return true;
  }
  return false;
};

/** Without accents, but with the vowel signs of scripts that write vowels as marks. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
