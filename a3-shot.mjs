import { chromium } from '@playwright/test';
import { findChromium } from './scripts/machine/chromium.mjs';
const b = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox','--disable-gpu'] });
for (const [lang, name] of [['en','en'],['de','de'],['ar','ar']]) {
  const p = await b.newPage({ viewport: { width: 390, height: 844 } });
  await p.goto(`http://localhost:3977/?state=screens/empty/not-offered&language=${lang}&locale=${lang}&bare`);
  await p.waitForTimeout(4000);
  await p.screenshot({ path: `/tmp/a3-shot-${name}.png` });
  await p.close();
}
await b.close();
