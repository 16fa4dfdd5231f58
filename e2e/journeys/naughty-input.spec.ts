/** Texts that have broken forms before, in every kind of field: nothing throws, no text becomes markup, no text is lost. */
import { watchConsole } from '../stack/console-watch.ts';
import { withDatabase } from '../stack/ledger.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

const corpus = [
  '',
  ' ',
  '\u00a0\u2003',
  '0',
  '-1',
  '1e309',
  'NaN',
  'Infinity',
  '0x10',
  '1/0',
  '1,2,3.4.5',
  '٠١٢٣٤٥٦٧٨٩',
  '१२३',
  '１２３',
  '²³¼',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  '{{7*7}}#{7*7}<%= 7*7 %>',
  "'; drop table deposit; --",
  '"><script>document.title="broken"</script>',
  '<img src=x onerror="document.title=\'broken\'">',
  'javascript:alert(1)',
  '../../../../etc/passwd%00',
  '%s%n%d %u0000',
  '\\u0041\\x41\\0',
  'Z̷̢̛̯͎̈́̓a̶̧͖͓̾̍l̵̰̮̈́̿g̶̡̞̏o̷̗̓',
  'é vs e\u0301',
  'ǅ ﬁ ß İ ı',
  'العربية עברית mixed',
  '\u202eright to left override\u202c',
  '\u200bzero\u200dwidth\ufeff',
  '👩‍👩‍👧‍👦🏳️‍🌈🇺🇳',
  '\u{1d400}\u{20000}',
  'a\tb',
  `${'9'.repeat(400)}`,
  `${'(('.repeat(60)}a+)+$`,
  'x'.repeat(3000),
];

/** Names that the method's rule accepts, in many scripts and in forms that software tends to "repair". */
const names = [
  'Zoë O’Neill-Åström',
  'Ame\u0301lie',
  'Am\u00e9lie',
  'محمد بن سلمان',
  'नरेन्द्र मोदी',
  'İlker Işık ß',
  '\u{20000}\u{20001} 漢字',
  'Z\u0337\u0322a\u0336l\u0335g\u0336o',
  "D'Arcy St. John",
];

for (const [method, choices] of [
  ['Direct debit', { currency: 'EUR', country: 'DE' }],
  ['Pay by card number', { currency: 'KZT', country: 'KZ' }],
  ['Pix from your key', { currency: 'BRL', country: 'BR' }],
  ['Mobile phone balance', { currency: 'KZT', country: 'KZ' }],
  ['Gift voucher', { currency: 'EUR', country: 'DE' }],
] as const) {
  test(`[FORM-1] [AMT-1] no text breaks a field of ${method}: no exception, no markup, and the amount is the one shown`, async ({
    page,
    stack,
  }) => {
    const said = watchConsole(page);
    const demo = new DemoPage(page);
    await demo.open(stack, choices);
    await demo.openCashier();
    await demo.choose(method);
    const inputs = demo.widget.locator('form input:not([type=checkbox])');
    // The fields of a form may come after its amount.
    await expect(inputs.nth(1)).toBeVisible();
    const count = await inputs.count();
    for (let index = 0; index < count; index++) {
      const input = inputs.nth(index);
      await input.evaluate(async (element: HTMLInputElement, texts) => {
        for (const text of texts) {
          element.focus();
          element.select();
          document.execCommand('insertText', false, text);
          // Waits until the form has reacted to each text.
          await new Promise((resolve) => setTimeout(resolve, 0));
        }
      }, corpus);
      await input.blur();
    }
    // The button shows the amount of the field, or none.
    const shown = await demo.widget.getByRole('textbox', { name: 'Amount' }).inputValue();
    const label = (await demo.widget.locator('button[type=submit]').textContent()) ?? '';
    const digits = (value: string) => value.replace(/[^0-9.]/g, '');
    if (/\d/.test(label)) expect(Number(digits(label))).toBe(Number(digits(shown)));
    expect(await demo.widget.locator('html').evaluate(() => document.title)).not.toBe('broken');
    await expect(demo.widget.locator('script:text("broken"), img[src="x"]')).toHaveCount(0);
    expect(said).toEqual([]);
  });
}

test('[FORM-1] [FORM-2] a name in any script is stored byte for byte', async ({ page, stack }) => {
  test.setTimeout(300_000);
  const said = watchConsole(page);
  const demo = new DemoPage(page);
  const people: string[] = [];
  for (const [index, name] of names.entries()) {
    await demo.open(stack, { currency: 'MXN', country: 'MX' });
    people.push(demo.userId);
    await demo.openCashier();
    await demo.choose('SPEI from your own account');
    await demo.widget.getByRole('textbox', { name: 'Amount' }).fill(String(200 + index));
    await demo.widget.getByRole('textbox', { name: 'Full name' }).fill(name);
    await demo.widget.locator('button[type=submit]').click();
    await demo.widget.getByRole('textbox', { name: 'CLABE' }).fill('032180000118359719');
    await demo.widget.getByRole('textbox', { name: 'Date of birth' }).fill('31121990');
    const popup = page.waitForEvent('popup');
    await demo.widget.locator('button[type=submit]').click();
    // The window opens at the tap. It gets its address once the deposit is stored.
    const provider = await popup;
    await provider.waitForURL(/^http/);
    await provider.close();
  }
  expect(said).toEqual([]);
  const kept = await withDatabase(stack, (ask) =>
    ask<{ name: string; hex: string }>(
      `select request->'fields'->>'fullName' as name, encode(convert_to(request->'fields'->>'fullName', 'UTF8'), 'hex') as hex
        from deposit where user_id in (${people.map((id) => `'${id}'`).join(', ')}) order by amount`,
    ),
  );
  await stack.startCashier();
  expect(kept).toEqual(names.map((name) => ({ name, hex: Buffer.from(name, 'utf8').toString('hex') })));
});
