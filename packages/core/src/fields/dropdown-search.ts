import type { DropdownItem } from '@opencashier/contract/api';

/** A dropdown gets a search box above this many items (section 9). */
export const DROPDOWN_SEARCH_THRESHOLD = 5;

/** Whether a dropdown has a search box (FORM-7). */
export function needsDropdownSearch(itemCount: number, isSearchable: boolean): boolean {
  return isSearchable && itemCount > DROPDOWN_SEARCH_THRESHOLD;
}

/**
 * The items in which every word of the query stands, in whatever order, letter case and accents (FORM-7): `trust guaranty`
 * finds Guaranty Trust Bank, `turkiye` Türkiye.
 *
 * @param searched what of an item is searched; its text where left out
 */
export function searchDropdown<Item extends Pick<DropdownItem, 'text'>>(
  items: readonly Item[],
  query: string,
  searched: (item: Item) => string = ({ text }) => text,
): Item[] {
  const words = folded(query).split(/\s+/);
  return items.filter((item) => {
    const text = folded(searched(item));
    return words.every((word) => text.includes(word));
  });
}

/** Without accents, but with the vowel signs of scripts that write vowels as marks. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
