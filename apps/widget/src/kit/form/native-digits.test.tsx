// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import { createFixtureServices, createTexts } from '../session/services-fixture.ts';
import { methodWith, renderAmount, renderFields, testField } from './form-fixture.tsx';

const user = userEvent.setup();
afterEach(cleanup);
const box = (name: string): HTMLInputElement => screen.getByRole('textbox', { name });

const rule = { regex: '^\\d{10}$', type: 'text' } as const;
const fields = [
  testField({ name: 'card', props: { label: 'Card' } }),
  testField({ name: 'account', ...rule, props: { label: 'Account' } }),
  testField({ name: 'masked', ...rule, mask: '##########', props: { label: 'Masked' } }),
  testField({
    name: 'phone',
    type: 'phone_with_prefix',
    props: { label: 'Phone' },
    countries: [{ code: 'AE', name: 'Emirates', prefix: '+971', example: '50 123 4567' }],
  }),
];

/** A number as the keyboard of a language has its digits. */
const typedIn = (numberingSystem: string, digits: string): string => {
  const format = new Intl.NumberFormat('en', { numberingSystem, useGrouping: false });
  return digits.replace(/\d/g, (digit) => format.format(Number(digit)));
};

describe.each(['arab', 'arabext', 'deva', 'beng', 'telu', 'thai'])('[UI-1] [UI-2] digits of the kind %s', (kind) => {
  test('every field converts them to the digits that rules and servers know', async () => {
    const form = renderFields(methodWith({ fields }));
    for (const [name, digits] of [
      ['Card', '4242424242424242'],
      ['Account', '0123456789'],
      ['Masked', '0123456789'],
      ['Phone', '501234567'],
    ] as const) {
      await user.click(box(name));
      await user.paste(typedIn(kind, digits));
    }
    expect(form.fields()).toMatchObject({
      isValid: true,
      values: { account: '0123456789', masked: '0123456789', phone: '+971501234567' },
    });
    expect(box('Card')).toHaveValue('4242 4242 4242 4242');
    expect(box('Account')).toHaveValue('0123456789');
  });
});

describe.each(['ar', 'ur'])('[UI-2] in %s', (locale) => {
  const services = () => createFixtureServices({}, { texts: createTexts({ formatLocale: locale, direction: 'rtl' }) });

  test('cards, masked numbers and phones read from left to right, and free text in its own direction', () => {
    renderFields(
      methodWith({ fields: [...fields, testField({ name: 'note', props: { label: 'Note' } })] }),
      services(),
    );
    expect(box('Card')).toHaveAttribute('dir', 'ltr');
    expect(box('Masked')).toHaveAttribute('dir', 'ltr');
    expect(box('Phone').closest('[dir]')).toHaveAttribute('dir', 'ltr');
    expect(box('Note')).toHaveAttribute('dir', 'auto');
  });

  test('the amount reads from left to right and is typed in either digits', async () => {
    const { amount } = renderAmount(methodWith(), services());
    expect(box('Amount')).toHaveAttribute('dir', 'ltr');
    await user.type(box('Amount'), '۱۵٠٠');
    expect(amount().canonical).toBe('1500');
  });
});
