import { fileURLToPath } from 'node:url';
import { type Plugin, runnerImport } from 'vite';

type Currencies = typeof import('@opencashier/core/money/currencies');

const longest = 4;

/** Puts a drawing of every currency into the build as `static/icons/{currency}.svg` (§7, GET icons): its symbol in a circle. */
export function iconFiles(): Plugin {
  return {
    name: 'icon-files',
    async generateBundle() {
      // The table is TypeScript, which the oldest Node that builds this cannot read by itself.
      const table = fileURLToPath(import.meta.resolve('@opencashier/core/money/currencies'));
      const { module } = await runnerImport<Currencies>(table);
      for (const { code, symbol } of module.CURRENCIES) {
        this.emitFile({
          type: 'asset',
          fileName: `static/icons/${code.toLowerCase()}.svg`,
          source: drawing(code, symbol),
        });
      }
    },
  };
}

/** A neutral mark of our own: no bank's and no coin's logo. The colours hold in the light and in the dark. */
function drawing(code: string, symbol: string): string {
  const text = symbol.length <= longest ? symbol : code.slice(0, longest);
  const size = [20, 20, 15, 12, 10][text.length] ?? 10;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="20" fill="#0a7a5a"/>' +
    `<text x="20" y="20" dy=".36em" fill="#fff" font-family="system-ui,sans-serif" font-size="${size}" font-weight="700" ` +
    `text-anchor="middle">${text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</text></svg>`
  );
}
