// @vitest-environment jsdom

import { formatWireAmount } from '@opencashier/core/money/format';
import { SPECIFIED_LOCALES } from '@opencashier/core/money/locales.fixture';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { methodWith, renderAmount } from '../form/form-fixture.tsx';
import { createFixtureServices, createSession, createTexts } from '../session/services-fixture.ts';

const user = userEvent.setup();
const input = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount' });
const caret = () => input().selectionStart;

describe('[AMT-1] the field', () => {
  test('groups digits during typing and keeps the caret in place', async () => {
    const { amount } = renderAmount();
    await user.type(input(), '15000');
    expect(input()).toHaveValue('15,000');
    await user.type(input(), '2', { initialSelectionStart: 2, initialSelectionEnd: 2 });
    expect(input()).toHaveValue('1,52,000');
    expect(caret()).toBe(4);
    await user.keyboard('{Backspace}');
    expect(input()).toHaveValue('15,000');
    expect(caret()).toBe(2);
    expect(amount().canonical).toBe('15000');
  });

  test('a meaningless keystroke changes neither the text nor the caret', async () => {
    renderAmount();
    await user.type(input(), '1500');
    await user.type(input(), 'x', { initialSelectionStart: 1, initialSelectionEnd: 1 });
    expect(input()).toHaveValue('1,500');
    expect(caret()).toBe(1);
  });

  test.each([
    ['en', '12,50', '12.50'],
    ['de', '1234.50', '1.234,50'],
    ['es-MX', '12,5', '12.5'],
    ['pt-BR', '.5', '0,5'],
  ])('a phone’s decimal key means decimals in %s: %s', async (locale, keys, shown) => {
    const services = createFixtureServices({}, { texts: createTexts({ formatLocale: locale }) });
    const { amount } = renderAmount(methodWith(), services);
    await user.type(input(), keys);
    expect(input()).toHaveValue(shown);
    expect(amount().canonical).toBe(keys.replace(',', '.').replace(/^\./, '0.'));
  });

  test('a composition of an input method is not changed before it is finished', () => {
    const { amount } = renderAmount();
    input().focus();
    fireEvent.compositionStart(input());
    fireEvent.input(input(), { target: { value: '１２' }, isComposing: true });
    expect(input()).toHaveValue('１２');
    expect(amount().canonical).toBeUndefined();
    fireEvent.compositionEnd(input());
    expect(input()).toHaveValue('12');
    expect(amount().canonical).toBe('12');
  });

  test('[AMT-9] yen are whole: a fraction is refused with a message, never dropped', async () => {
    const services = createFixtureServices({}, { session: createSession({ currency: 'JPY' }) });
    const { amount } = renderAmount(methodWith({ amount_rules: { JPY: { min: '100', max: '90000' } } }), services);
    await user.type(input(), '1200.50');
    expect(amount().canonical).toBe('1200.50');
    expect(input()).toHaveAccessibleDescription('Enter a whole amount, without decimals');
    await user.keyboard('{Backspace}{Backspace}');
    expect(input()).not.toHaveAttribute('aria-invalid');
    expect(amount().error).toBeUndefined();
  });

  test('an amount survives another locale', async () => {
    const { services, amount } = renderAmount();
    await user.type(input(), '1500.5');
    act(() => services.texts.setState(createTexts({ locale: 'de', formatLocale: 'de' }), true));
    expect(input()).toHaveValue('1.500,5');
    expect(amount().canonical).toBe('1500.5');
  });
});

test('[AMT-1] [AMT-2] the button names the amount that the request sends, in every locale', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SPECIFIED_LOCALES),
      fc.string({ unit: fc.constantFrom(...'0123456789.,٫٣१'), maxLength: 9 }),
      (locale, keys) => {
        const services = createFixtureServices({}, { texts: createTexts({ formatLocale: locale }) });
        const { amount } = renderAmount(methodWith({ amount_rules: {} }), services);
        input().focus();
        for (const key of keys) fireEvent.input(input(), { target: { value: `${input().value}${key}` } });
        const { canonical, shown } = amount();
        expect(input()).toHaveValue(shown);
        if (canonical === undefined) expect(shown).toBe('');
        else {
          // The button's words, read digit by digit, are the amount of the request.
          const said = formatWireAmount({ amount: canonical, currency: 'INR' }, locale) ?? '';
          const digits = (text: string) => text.replace(/[^0-9]/g, '').replace(/^0+/, '');
          const latin = [...said].map((char) => (/\p{Nd}/u.test(char) ? String(Number(fold(char))) : char)).join('');
          const [whole = '', cents = ''] = canonical.split('.');
          expect(digits(latin)).toBe(digits(whole + cents.padEnd(2, '0')));
          expect(digits(shown)).toBe(digits(canonical));
        }
        cleanup();
      },
    ),
    { numRuns: 80 },
  );
});

/** The ASCII digit of any script's digit: ten of them follow each other. */
function fold(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  for (let value = 0; value < 10; value += 1) {
    if (!/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) return String(value);
  }
  return '9';
}

describe('[AMT-2] pasting', () => {
  test('an ambiguous amount is refused in place, and the former text stays', async () => {
    const { amount } = renderAmount();
    await user.type(input(), '700');
    await user.tripleClick(input());
    await user.paste('1,234');
    expect(input()).toHaveValue('700');
    expect(input()).toHaveAccessibleDescription('This amount can be read in two ways. Please type it in.');
    await user.paste('1 234,50');
    expect(amount().canonical).toBe('1234.50');
    expect(input()).not.toHaveAttribute('aria-invalid');
    await user.tripleClick(input());
    await user.paste('₹1,234.56');
    expect(amount().canonical).toBe('1234.56');
    await user.paste('ten');
    expect(input()).toHaveAccessibleDescription('We could not read this amount. Please type it in.');
  });

  test('digits are inserted at the caret', async () => {
    renderAmount();
    await user.type(input(), '55');
    input().setSelectionRange(1, 1);
    await user.paste('00');
    expect(input()).toHaveValue('5,005');
    expect(caret()).toBe(4);
  });
});

describe('[AMT-4] [FORM-5] hint and messages', () => {
  test('an error replaces the hint from the first key, and focus clears the error', async () => {
    renderAmount();
    expect(input()).toHaveAccessibleDescription('From ⁨₹500⁩ to ⁨₹1,00,000⁩');
    await user.type(input(), '20');
    expect(input()).toHaveAccessibleDescription('The minimum amount is ⁨₹500⁩');
    await user.tab();
    await user.click(input());
    expect(input()).toHaveAccessibleDescription('From ⁨₹500⁩ to ⁨₹1,00,000⁩');
    await user.type(input(), '0000');
    expect(input()).toHaveAccessibleDescription('The maximum amount is ⁨₹1,00,000⁩');
  });

  test('[AMT-3] the server’s limits replace the catalogue’s, and no typed digit is lost', async () => {
    let answer: (limits: unknown) => void = () => undefined;
    const services = createFixtureServices({
      'deposit-limits': () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const { amount, pass } = renderAmount(methodWith(), services);
    await user.type(input(), '50000');
    await pass(0);
    answer({ currency: 'INR', min: '100', max: '900' });
    await pass(0);
    await pass(0);
    expect(input()).toHaveValue('50,000');
    expect(amount().canonical).toBe('50000');
    expect(input()).toHaveAccessibleDescription('The maximum amount is ⁨₹900⁩');
    expect(services.requestsOf('deposit-limits')).toEqual([{ currency: 'INR', paymentMethod: 'bank_card' }]);
  });

  test('[AMT-8] a method’s own rule has its own message; an unusable rule is reported to the host and skipped', async () => {
    const first = renderAmount(methodWith({ flags: { ownAmountRegex: '^\\d+00$' } }));
    await user.type(input(), '750');
    expect(input()).toHaveAccessibleDescription('This amount is not accepted. Try another amount.');
    first.unmount();
    const { services, amount } = renderAmount(methodWith({ flags: { ownAmountRegex: '(' } }));
    expect(services.posted).toEqual([
      {
        messageType: 'error',
        payload: { code: 'invalid-response', message: 'A rule of amount of bank_card was skipped: malformed.' },
      },
    ]);
    await user.type(input(), '750');
    expect(amount().error).toBeUndefined();
  });
});

describe('[AMT-8] an on-ramp', () => {
  const onramp = methodWith({ cardViewType: 13, amount_rules: {} });

  test('accepts no amount before its limits have loaded', async () => {
    let answer: (limits: unknown) => void = () => undefined;
    const waiting = new Promise((resolve) => {
      answer = resolve;
    });
    const { pass } = renderAmount(onramp, createFixtureServices({ 'deposit-limits': () => waiting }));
    await pass(0);
    expect(input()).toBeDisabled();
    answer({ currency: 'INR', min: '0', max: '0' });
    await pass(0);
    await pass(0);
    expect(input()).toBeEnabled();
    await user.type(input(), '0.5');
    expect(input()).toHaveAccessibleDescription('The minimum amount is ⁨₹1⁩');
  });

  test('says so when the server has no limits', async () => {
    const failure = new ClientError({ kind: 'refused', code: 'method-unavailable', status: 422, message: 'none' });
    const { pass } = renderAmount(onramp, createFixtureServices({ 'deposit-limits': () => Promise.reject(failure) }));
    await pass(0);
    await pass(0);
    expect(input()).toBeDisabled();
    expect(input()).toHaveAccessibleDescription('This currency is not available right now. Choose another one.');
  });
});

describe('[AMT-5] [AMT-6] chips and preset amounts', () => {
  const chips = () => screen.getAllByRole('button').map(({ textContent }) => textContent);

  test('preset amounts are within the limits', () => {
    renderAmount();
    expect(chips()).toEqual(['500', '1,000', '3,000', '5,000', '10,000']);
  });

  test('Russia has its own five, and an operator’s own amounts replace every other', () => {
    const russia = () => createFixtureServices({}, { session: createSession({ country: 'RU', currency: 'RUB' }) });
    const rules = { amount_rules: { RUB: { min: '1000', max: '100000' } } };
    const first = renderAmount(methodWith(rules), russia());
    expect(chips()).toEqual(['5,000', '7,500', '10,000', '25,000', '50,000']);
    first.unmount();
    const second = renderAmount(methodWith({ ...rules, fixedAmounts: ['1200', '2400.50', '999999'] }), russia());
    expect(chips()).toEqual(['1,200', '2,400.5']);
    second.unmount();
    renderAmount(methodWith({ ...rules, recommendedAmounts: ['4000'] }), russia());
    expect(chips()).toEqual(['4,000']);
  });

  test('a chip is marked while the field shows its amount', async () => {
    const { amount } = renderAmount();
    await user.click(screen.getByRole('button', { name: '₹3,000' }));
    expect(amount()).toMatchObject({ canonical: '3000', isFromChip: true });
    expect(screen.getByRole('button', { name: '₹3,000' })).toHaveAttribute('aria-pressed', 'true');
    await user.type(input(), '{End}0');
    expect(amount()).toMatchObject({ canonical: '30000', isFromChip: false });
  });

  test('the prefilled amount has the decimals of its currency', () => {
    const { amount } = renderAmount(methodWith({ prefilledAmount: '1500' }));
    expect(input()).toHaveValue('1,500.00');
    expect(amount()).toMatchObject({ canonical: '1500.00', shownError: undefined });
  });
});

describe('[AMT-6] typing replaces a proposed amount', () => {
  const proposed = () => renderAmount(methodWith({ prefilledAmount: '1500' }));

  test('by keyboard', async () => {
    const { amount } = proposed();
    await user.tab();
    expect(input()).toHaveFocus();
    await user.keyboard('700');
    expect(amount()).toMatchObject({ shown: '700', canonical: '700' });
  });

  test('by the first press', async () => {
    const { amount } = proposed();
    await user.click(input());
    await user.keyboard('700');
    expect(amount()).toMatchObject({ shown: '700', canonical: '700' });
  });

  test('a second press puts the caret into the proposal, to correct it', async () => {
    const { amount } = proposed();
    await user.click(input());
    await user.pointer({ keys: '[MouseLeft]', target: input(), offset: 1 });
    expect([caret(), input().selectionEnd]).toEqual([1, 1]);
    await user.keyboard('2');
    expect(amount()).toMatchObject({ shown: '12,500.00', canonical: '12500.00' });
  });

  test('typing replaces only the part that the first press selected', async () => {
    const { amount } = proposed();
    await user.pointer([{ keys: '[MouseLeft>]', target: input(), offset: 0 }, { offset: 1 }, { keys: '[/MouseLeft]' }]);
    await user.keyboard('9');
    expect(amount()).toMatchObject({ canonical: '9500.00' });
  });

  test('a text that an input method composes replaces it', () => {
    const { amount } = proposed();
    act(() => input().focus());
    expect([caret(), input().selectionEnd]).toEqual([0, '1,500.00'.length]);
    fireEvent.compositionStart(input());
    fireEvent.input(input(), { target: { value: '７' }, isComposing: true });
    fireEvent.compositionEnd(input());
    expect(amount().canonical).toBe('7');
  });

  test('an amount that was typed or chosen is the user’s own: focus leaves the caret alone', async () => {
    const { amount } = proposed();
    await user.click(screen.getByRole('button', { name: '₹3,000' }));
    await user.click(input());
    await user.keyboard('0');
    expect(amount().canonical).toBe('30000');
    await user.tab();
    await user.click(input());
    await user.keyboard('0');
    expect(amount().canonical).toBe('300000');
  });
});

test('[AMT-7] at the minimum the session gets a random amount, and the field and the request keep what was typed', async () => {
  const services = createFixtureServices({ 'session-start': { paymentSessionId: 's-1' } });
  const { amount, pass } = renderAmount(methodWith(), services);
  await user.type(input(), '500');
  await pass(500);
  const [request] = services.requestsOf('session-start') as { amount: string }[];
  expect(Number(request?.amount)).toBeGreaterThanOrEqual(500);
  expect(Number(request?.amount)).toBeLessThanOrEqual(100_000);
  expect(request?.amount).not.toBe('500.00');
  expect(amount()).toMatchObject({ canonical: '500', shown: '500', paymentSessionId: 's-1' });
});

test('[AMT-9] a coin has eight decimals and is named by its code; an unknown locale writes as in Mexico', async () => {
  const services = createFixtureServices(
    {},
    {
      session: createSession({ currency: 'BTC' }),
      texts: createTexts({ formatLocale: 'xx-unknown' }),
    },
  );
  const { amount } = renderAmount(methodWith({ amount_rules: { BTC: { min: '0.0001', max: '2' } } }), services);
  expect(screen.getByText('BTC')).toBeInTheDocument();
  await user.type(input(), '0.123456789');
  expect(amount().canonical).toBe('0.12345678');
  expect(input()).toHaveValue('0.12345678');
});
