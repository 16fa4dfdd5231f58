import type { Locator, Page } from '@playwright/test';
import { watchConsole } from '../stack/console-watch.ts';
import { expectAccessible } from '../stack/hand-payment.ts';
import { withDatabase } from '../stack/ledger.ts';
import type { Stack } from '../stack/stack.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

interface Sent {
  amount: string;
  fields: Record<string, string>;
}

/** The stored fields of every deposit, oldest first. */
async function sentDeposits(stack: Stack, { userId }: DemoPage): Promise<Sent[]> {
  const sent = await withDatabase(stack, (ask) =>
    ask<Sent>(`select amount::text as amount, request->'fields' as fields from deposit where user_id = '${userId}'`),
  );
  await stack.startCashier();
  return sent;
}

async function openMethod(
  page: Page,
  stack: Stack,
  method: string,
  choices: Record<string, string>,
): Promise<DemoPage> {
  const demo = new DemoPage(page);
  await demo.open(stack, choices);
  await demo.openCashier();
  await demo.choose(method);
  return demo;
}

const amountOf = (demo: DemoPage) => demo.widget.getByRole('textbox', { name: 'Amount' });
const payOf = (demo: DemoPage) => demo.widget.locator('button[type=submit]');
const textbox = (demo: DemoPage, name: string) => demo.widget.getByRole('textbox', { name, exact: true });

async function paste(input: Locator, text: string): Promise<void> {
  await input.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** Sets a value as a browser's autofill does: at once, without a key press. */
async function autofill(input: Locator, text: string): Promise<void> {
  await input.evaluate((element, value) => {
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
    set?.call(element, value);
    element.dispatchEvent(new Event('input', { bubbles: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
  }, text);
}

const caretOf = (input: Locator) => input.evaluate((element: HTMLInputElement) => element.selectionStart);

test('[AMT-6] a proposed amount gives way to what is typed: by Tab, by a tap, by a keyboard that composes', async ({
  page,
  stack,
}) => {
  const demo = await openMethod(page, stack, 'Bank card', { currency: 'INR', country: 'IN' });
  const amount = amountOf(demo);
  await expect(amount).not.toHaveValue('');
  const proposal = await amount.inputValue();
  const selection = () =>
    amount.evaluate((input: HTMLInputElement) => input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0));

  for (let presses = 0; presses < 20; presses++) {
    if (await amount.evaluate((input) => input === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect.poll(selection).toBe(proposal);

  await amount.blur();
  const tap = async () => {
    const box = await amount.boundingBox();
    if (!box) throw new Error('The amount has no place.');
    await page.mouse.click(box.x + 4, box.y + box.height / 2);
  };
  await tap();
  await expect.poll(selection).toBe(proposal);
  await tap();
  await expect.poll(selection, 'the second tap sets the caret').toBe('');

  await amount.blur();
  await tap();
  // As keyboards of phones and of East Asia write: a composition begins, and ends.
  const keyboard = await page.context().newCDPSession(page);
  await keyboard.send('Input.imeSetComposition', { text: '7', selectionStart: 1, selectionEnd: 1 });
  await keyboard.send('Input.imeSetComposition', { text: '70', selectionStart: 2, selectionEnd: 2 });
  await keyboard.send('Input.insertText', { text: '700' });
  await expect(amount).toHaveValue('700');
  await expect.poll(() => caretOf(amount)).toBe(3);
  await expect(payOf(demo)).toHaveText(/700\.00/);
});

test('[AMT-1] [AMT-2] an amount is grouped while one types it, in the middle too, and the button says the same', async ({
  page,
  stack,
}) => {
  const said = watchConsole(page);
  const demo = await openMethod(page, stack, 'Bank card', { currency: 'INR', country: 'IN' });
  const amount = amountOf(demo);
  await amount.click();
  await page.keyboard.type('15000');
  await expect(amount, 'the proposed amount gave way').toHaveValue(/^15,000$/);
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('x2');
  await expect(amount).toHaveValue('152,000');
  await expect.poll(() => caretOf(amount)).toBe(3);
  await page.keyboard.press('Backspace');
  await expect(amount).toHaveValue('15,000');
  await expect(payOf(demo)).toHaveText(/15,000\.00/);

  await amount.press('ControlOrMeta+a');
  await page.keyboard.type('٢٥٠٠٫٥');
  await expect(amount).toHaveValue('2,500.5');
  await expect(payOf(demo)).toHaveText(/2,500\.50/);

  await amount.press('ControlOrMeta+a');
  await paste(amount, '1,234');
  await expect(demo.widget.getByText('This amount can be read in two ways. Please type it in.')).toBeVisible();
  await expect(amount).toHaveValue('2,500.5');
  await paste(amount, '3\u202f250,75');
  await expect(amount).toHaveValue('3,250.75');
  await expect(payOf(demo)).toHaveText(/3,250\.75/);

  await autofill(amount, '4100');
  await expect(amount).toHaveValue('4,100');

  // An input method shows what it composes until it is done.
  const session = await page.context().newCDPSession(page);
  await amount.press('ControlOrMeta+a');
  await session.send('Input.imeSetComposition', { text: '７５', selectionStart: 2, selectionEnd: 2 });
  await expect(amount).toHaveValue('７５');
  await session.send('Input.insertText', { text: '７５０' });
  await expect(amount).toHaveValue('750');
  await expect(payOf(demo)).toHaveText(/750\.00/);
  expect(said).toEqual([]);
});

test('[AMT-1] in Arabic the digits typed are Arabic, and the amount is the same', async ({ page, stack }) => {
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'INR', country: 'IN', locale: 'ar' });
  await page.getByRole('button', { name: 'Deposit', exact: true }).click();
  await demo.widget
    .getByRole('button', { name: /^بطاقة بنكية/ })
    .first()
    .click();
  const amount = demo.widget.getByRole('textbox').first();
  await amount.click();
  await amount.press('ControlOrMeta+a');
  await page.keyboard.type('١٥٠٠');
  await expect(amount).toHaveValue(/^1[.,٬]500$/);
  await expect(payOf(demo)).toHaveText(/1[.,]500[.,]00|١٬٥٠٠٫٠٠/);
});

test('[FORM-1] [FORM-5] [FORM-7] [FORM-8] a form of every field is filled with the keyboard alone and kept as it was typed', async ({
  page,
  stack,
}) => {
  const said = watchConsole(page);
  const demo = await openMethod(page, stack, 'Direct debit', { currency: 'EUR', country: 'DE' });
  await amountOf(demo).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('25');
  // Missing fields are marked at once, and the first of them gets the focus.
  await page.keyboard.press('Enter');
  await expect(textbox(demo, 'IBAN')).toBeFocused();
  await expect(textbox(demo, 'IBAN')).toHaveAttribute('aria-invalid', 'true');
  await expect(payOf(demo)).toHaveAttribute('aria-disabled', 'true');

  await page.keyboard.type('de89370400440532013000');
  await expect(textbox(demo, 'IBAN')).toHaveValue('DE89 3704 0044 0532 0130 00');
  await page.keyboard.press('Tab');
  await page.keyboard.type('w');
  await expect(demo.widget.getByRole('combobox', { name: 'Search' })).toBeFocused();
  await expect(demo.widget.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(demo.widget.getByRole('combobox', { name: 'Bank' })).toBeFocused();
  await expect(demo.widget.getByRole('combobox', { name: 'Bank' })).toHaveText('Westbank');
  await page.keyboard.press('Tab');
  await page.keyboard.type('1a0115x');
  await expect(textbox(demo, 'Postcode')).toHaveValue('10115');
  await page.keyboard.press('Tab');
  await page.keyboard.type('31');
  await expect(textbox(demo, 'Day of the month')).toHaveAccessibleDescription('Enter a number from 1 to 28');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Tab');
  await page.keyboard.type('٣١١٢١٩٩٠');
  await expect(textbox(demo, 'Date of birth')).toHaveValue('31.12.1990');
  await page.keyboard.press('Tab');
  await page.keyboard.type('1500.5');
  await expect(textbox(demo, 'Monthly limit')).toHaveValue('1,500.5');
  await page.keyboard.press('Tab');
  await page.keyboard.type('anna@example.com');
  await expect(payOf(demo)).not.toHaveAttribute('aria-disabled', 'true');
  const popup = page.waitForEvent('popup');
  await page.keyboard.press('Enter');
  await expect((await popup).getByText('25.00').first()).toBeVisible();
  expect(said).toEqual([]);
  expect(await sentDeposits(stack, demo)).toEqual([
    {
      amount: '2500',
      fields: {
        iban: 'DE89 3704 0044 0532 0130 00',
        bank: 'west',
        postcode: '10115',
        debitDay: '3',
        birthday: '31.12.1990',
        monthlyLimit: '1500.5',
        email: 'anna@example.com',
        channel: 'cashier',
      },
    },
  ]);
});

test('[FORM-8] [FORM-12] a card number is grouped, checked and its bank named, also when a browser fills it in', async ({
  page,
  stack,
}) => {
  const demo = await openMethod(page, stack, 'Pay by card number', { currency: 'KZT', country: 'KZ' });
  const card = textbox(demo, 'Card number');
  await card.click();
  await page.keyboard.type('4400430012345678');
  await expect(card).toHaveValue('4400 4300 1234 5678');
  await expect(card).toHaveAttribute('aria-invalid', 'true');
  await expect(payOf(demo)).toHaveAttribute('aria-disabled', 'true');
  await autofill(card, '4111111111111111');
  await expect(card).toHaveValue('4111 1111 1111 1111');
  await expect(card).not.toHaveAttribute('aria-invalid', 'true');
  await expect(payOf(demo)).not.toHaveAttribute('aria-disabled', 'true');
  // A complete number accepts no further digit and shows why. Otherwise its last digit would be lost unnoticed.
  await card.press('Home');
  await page.keyboard.type('4');
  await expect(card).toHaveValue('4111 1111 1111 1111');
  await expect(card).toHaveAttribute('aria-invalid', 'true');
  await card.press('Home');
  await card.press('Delete');
  await page.keyboard.type('5');
  await expect(card).toHaveValue('5111 1111 1111 1111');
  await expect.poll(() => caretOf(card)).toBe(1);
});

test('[FORM-6] a Pix key is sent as key, kind and tax number', async ({ page, stack }) => {
  const demo = await openMethod(page, stack, 'Pix from your key', { currency: 'BRL', country: 'BR' });
  await amountOf(demo).fill('25');
  await expect(textbox(demo, 'Phone')).toHaveCount(0);
  await demo.widget.getByRole('combobox', { name: 'Key type' }).selectOption('phone');
  await textbox(demo, 'CPF').fill('12345678909');
  await expect(textbox(demo, 'CPF')).toHaveValue('123.456.789-09');
  const phone = textbox(demo, 'Phone');
  await phone.click();
  await page.keyboard.type('+11');
  await autofill(phone, '+5511912345678');
  await expect(phone).toHaveValue('11912345678');
  const popup = page.waitForEvent('popup');
  await payOf(demo).click();
  await expect((await popup).getByText('25.00').first()).toBeVisible();
  expect((await sentDeposits(stack, demo))[0]?.fields).toEqual({
    pixKeyType: 'phone',
    pixKey: '+5511912345678',
    numberId: '123.456.789-09',
    numberType: 'cpf',
  });
});

test('[UI-3] [FORM-1] a form of every field, its mistakes and its list have no violation', async ({ page, stack }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const demo = await openMethod(page, stack, 'Direct debit', { currency: 'EUR', country: 'DE' });
  await payOf(demo).click();
  await expect(textbox(demo, 'IBAN')).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(demo);
  await demo.widget.getByRole('combobox', { name: 'Bank' }).click();
  await expect(demo.widget.getByRole('listbox', { name: 'Bank' })).toBeVisible();
  await page.keyboard.type('bank');
  await expectAccessible(demo);
});
