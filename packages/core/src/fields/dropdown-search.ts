import type { DropdownItem } from '@opencashier/contract/api';

/** A dropdown with more items than this has a search box (section 9). */
export const DROPDOWN_SEARCH_THRESHOLD = 5;

/** Whether a dropdown has a search box (FORM-7). */
export function needsDropdownSearch(itemCount: number, isSearchable: boolean): boolean {
  return isSearchable && itemCount > DROPDOWN_SEARCH_THRESHOLD;
}

/**
 * The items that contain every word of the query, in any order, letter case and accents (FORM-7).
 * `trust guaranty` finds Guaranty Trust Bank; `turkiye` finds Türkiye.
 * Items in which every word of the query begins a word come first: for `ger`, Germany stands before Nigeria.
 *
 * @param searched the searched text of an item; the default is its `text`
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

/** Whether `part` starts a word of `text`: at position 0, or after a character that belongs to no word. */
const beginsWord = (text: string, part: string): boolean => {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (!/[\p{L}\p{M}\p{N}]$/u.test(text.slice(0, at))) return true;
  }
  return false;
};

/** Removes accents, but keeps the vowel signs of scripts that write vowels as marks. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
