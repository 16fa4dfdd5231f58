import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as flags from 'country-flag-icons/string/3x2';
import { type Plugin, runnerImport } from 'vite';
import { brandMarks } from './brand-marks.ts';
import { monograms } from './monograms.ts';

type Currencies = typeof import('@opencashier/core/money/currencies');
type Currency = Pick<Currencies['CURRENCIES'][number], 'code' | 'symbol'>;

const folder = join(import.meta.dirname, '../icons');
const longest = 4;
const flagLicence = fileURLToPath(new URL('./LICENSE', import.meta.resolve('country-flag-icons/package.json')));

/** Ids that catalogues in the field use for the same kind of payment. */
const sameAs: Readonly<Record<string, string>> = {
  atm: 'cash',
  bank_transfer: 'bank',
  crypto: 'coin',
  ewallet: 'wallet',
  mobile: 'phone',
};

/**
 * Adds drawings to the build as `static/icons/{id}.svg` (NET-7): kinds of payment, currencies, and flags of countries. Adds the
 * licence beside them that the flags require.
 */
export function iconFiles(): Plugin {
  return {
    name: 'icon-files',
    async generateBundle() {
      for (const [id, source] of await allDrawings())
        this.emitFile({ type: 'asset', fileName: `static/icons/${id}.svg`, source });
      const licence = readFileSync(flagLicence);
      this.emitFile({ type: 'asset', fileName: 'static/icons/flags-licence.txt', source: licence });
    },
    async configureServer({ middlewares, config }) {
      const drawings = await allDrawings();
      middlewares.use(`${config.base}static/icons`, ({ url = '' }, response, next) => {
        const drawing = drawings.get(decodeURIComponent(url.slice(1).replace(/\.svg.*$/, '')));
        // Operators' own icons come from the cashier.
        if (drawing === undefined) return next();
        response.setHeader('content-type', 'image/svg+xml').end(drawing);
      });
    },
  };
}

async function allDrawings(): Promise<Map<string, string>> {
  // The table is TypeScript, which the oldest Node that builds this cannot read by itself.
  const table = fileURLToPath(import.meta.resolve('@opencashier/core/money/currencies'));
  const { module } = await runnerImport<Currencies>(table);
  return iconDrawings(module.CURRENCIES);
}

/** Every drawing by its id, in small letters. */
export function iconDrawings(currencies: readonly Currency[]): Map<string, string> {
  const drawings = new Map([...monograms(), ...flagDrawings()]);
  for (const { code, symbol } of currencies) drawings.set(code.toLowerCase(), drawingOf(code, symbol));
  for (const file of readdirSync(folder)) {
    drawings.set(file.replace(/\.svg$/, ''), readFileSync(join(folder, file), 'utf8').trim());
  }
  for (const [id, mark] of brandMarks()) drawings.set(id, mark);
  for (const [id, other] of Object.entries(sameAs)) {
    const drawing = drawings.get(other);
    if (drawing === undefined) throw new Error(`There is no drawing ${other}.svg, which ${id} should show.`);
    drawings.set(id, drawing);
  }
  return drawings;
}

/** The flag of every country as `flag-{code}`; those of parts of countries are never asked for. */
function flagDrawings(): Map<string, string> {
  const ofCountries = Object.entries(flags).filter(([code]) => code.length === 2);
  return new Map(ofCountries.map(([code, drawing]) => [`flag-${code.toLowerCase()}`, drawing]));
}

/** A currency's symbol in a circle, or its code where that is too long. The colours hold in the light and in the dark. */
function drawingOf(code: string, symbol: string): string {
  const text = symbol.length <= longest ? symbol : code.slice(0, longest);
  const size = [13, 13, 10, 8, 6.5][text.length] ?? 6.5;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 28"><circle cx="20" cy="14" r="11.5" fill="#0a7a5a"/>' +
    `<text x="20" y="14" dy=".36em" fill="#fff" font-family="system-ui,sans-serif" font-size="${size}" font-weight="700" ` +
    `text-anchor="middle">${text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</text></svg>`
  );
}
