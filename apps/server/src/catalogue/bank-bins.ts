/** Banks by the first digits of their cards (FORM-12): a small table that ships as data. */
import { countrySchema } from '@opencashier/contract/api';
import * as v from 'valibot';
import { CatalogueError, readCatalogueFile } from './catalogue-file.ts';
import bundledBins from './data/bank-bins.json' with { type: 'json' };

const binsFileSchema = v.array(
  v.strictObject({
    /** Four to eight digits. ISO/IEC 7812 gives an issuer the first eight digits, and gave six for older cards. */
    prefix: v.pipe(v.string(), v.regex(/^\d{4,8}$/)),
    name: v.pipe(v.string(), v.minLength(1)),
    country: v.optional(countrySchema),
  }),
);

/** @throws CatalogueError for a wrong shape, or for a prefix that is listed twice */
export function createBankLookup(content: unknown): (bin: string) => { name: string; country?: string } | undefined {
  const bins = readCatalogueFile('bank-bins.json', binsFileSchema, content);
  const byPrefix = new Map(bins.map(({ prefix, name, country }) => [prefix, { name, ...(country && { country }) }]));
  if (byPrefix.size !== bins.length) throw new CatalogueError('bank-bins.json', '', 'a prefix is listed twice');
  return (bin) => {
    for (let length = Math.min(bin.length, 8); length >= 4; length -= 1) {
      const bank = byPrefix.get(bin.slice(0, length));
      if (bank !== undefined) return { ...bank };
    }
    return undefined;
  };
}

/** The bank of a card by its first six to eight digits. The longest matching prefix wins. */
export const bankOfCard = createBankLookup(bundledBins);
