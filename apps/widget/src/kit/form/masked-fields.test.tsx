// @vitest-environment jsdom
import type { FormField, PaymentMethod } from '@opencashier/contract/api';
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import { methodWith, renderFields, testField } from './form-fixture.tsx';

const user = userEvent.setup();
afterEach(cleanup);
const box = (name: string): HTMLInputElement => screen.getByRole('textbox', { name });
const of = (fields: FormField[], more: Partial<PaymentMethod> = {}) => methodWith({ fields, ...more });

describe('[FORM-8] masks', () => {
  const masked = (mask: string, more: Partial<FormField> = {}) =>
    testField({ name: 'm', mask, props: { label: 'M' }, ...more });

  test('literals write themselves, the caret stays, and deleting passes over them', async () => {
    renderFields(of([masked('(##) ##-##')]));
    await user.type(box('M'), '12٣456');
    expect(box('M')).toHaveValue('(12) 34-56');
    await user.type(box('M'), '{Backspace}');
    await user.type(box('M'), '9', { initialSelectionStart: 2, initialSelectionEnd: 2 });
    expect(box('M')).toHaveValue('(19) 23-45');
    expect(box('M').selectionStart).toBe(3);
    await user.clear(box('M'));
    await user.type(box('M'), '12');
    await user.keyboard('{Backspace}{Backspace}{Backspace}');
    expect(box('M')).toHaveValue('');
  });

  test.each([
    ['DD.MM.YYYY', '31022020', '31.02.2020', false],
    ['DD.MM.YYYY', '29022020', '29.02.2020', true],
    ['range:1-28', '31', '31', false],
    ['range:5-28', '1', '1', false],
    ['enum:MR|MS', 'm', 'M', false],
    ['enum:MR|MS', 'ms', 'MS', true],
    ['00-aa', '12', '12', false],
  ])('%s: %s shows %s', async (mask, keys, shown, isValid) => {
    const { fields } = renderFields(of([masked(mask)]));
    await user.type(box('M'), keys);
    expect(box('M')).toHaveValue(shown);
    expect(fields().isValid).toBe(isValid);
  });

  test.each([
    ['0000', '1234', '5', '1234', '“5” does not fit in this field. Nothing was changed.'],
    ['0000', '12', 'x', '12', '“x” does not fit in this field. Nothing was changed.'],
    ['DD.MM.YYYY', '31122020', '1', '31.12.2020', '“1” does not fit in this field. Nothing was changed.'],
    ['range:1-28', '3', '1', '31', 'Enter a number from 1 to 28'],
    ['enum:MR|MS|MX', 'Mr', 's', 'MRs', 'Use one of these: MR, MS or MX'],
  ])('%s: %s and then %s shows %s, and the person is told', async (mask, first, key, shown, words) => {
    renderFields(of([masked(mask)]));
    await user.type(box('M'), first);
    await user.type(box('M'), key);
    expect(box('M')).toHaveValue(shown);
    expect(box('M')).toHaveAccessibleDescription(words);
    await user.keyboard('{Backspace}');
    expect(box('M')).not.toHaveAccessibleDescription(words);
  });

  test('a digit typed in the middle pushes out no other digit; a pasted text is taken completely or not at all', async () => {
    renderFields(of([masked('#### ####')]));
    await user.type(box('M'), '12345678');
    await user.type(box('M'), '9', { initialSelectionStart: 2, initialSelectionEnd: 2 });
    expect(box('M')).toHaveValue('1234 5678');
    expect(box('M')).toHaveAccessibleDescription('“8” does not fit in this field. Nothing was changed.');
    await user.clear(box('M'));
    await user.paste('1234-5678');
    expect(box('M')).toHaveValue('1234 5678');
    await user.tripleClick(box('M'));
    await user.paste('account 12345679');
    expect(box('M')).toHaveValue('1234 5678');
    expect(box('M')).toHaveAccessibleDescription('“account” does not fit in this field. Nothing was changed.');
  });

  test('deleting a letter in the middle deletes no digit behind it', async () => {
    const { fields } = renderFields(of([masked('aaaa\\0******', { type: 'text_uppercase' })]));
    await user.type(box('M'), 'hdfc0000123');
    expect(box('M')).toHaveValue('HDFC0000123');
    await user.type(box('M'), '{Backspace}', { initialSelectionStart: 2, initialSelectionEnd: 2 });
    expect(box('M')).toHaveValue('HFC0000123');
    expect(fields().isValid).toBe(false);
    await user.keyboard('b');
    expect(box('M')).toHaveValue('HBFC0000123');
    expect(fields()).toMatchObject({ isValid: true, values: { m: 'HBFC0000123' } });
  });

  test('a date of another program is read, and a browser may fill in a birthday', async () => {
    const { fields } = renderFields(of([masked('DD.MM.YYYY', { name: 'birthday' })]));
    await user.click(box('M'));
    await user.paste('1990-05-17');
    expect(box('M')).toHaveValue('17.05.1990');
    expect(fields().values).toEqual({ birthday: '17.05.1990' });
    expect(box('M')).toHaveAttribute('autocomplete', 'bday');
  });

  test('an amount field says why it did not take a pasted amount', async () => {
    renderFields(of([testField({ name: 'limit', type: 'amount', props: { label: 'M' } })]));
    await user.type(box('M'), '12,50');
    expect(box('M')).toHaveValue('12.50');
    await user.tripleClick(box('M'));
    await user.paste('25 EUR');
    expect(box('M')).toHaveValue('12.50');
    expect(box('M')).toHaveAccessibleDescription(/Please type it/);
  });

  test('[FORM-3] a phone number that is too long is not cut', async () => {
    const countries = [{ name: 'India', code: 'IN', prefix: '+91', example: '98765 43210' }];
    renderFields(of([testField({ name: 'phone', type: 'phone_with_prefix', countries, props: { label: 'P' } })]));
    const phone = screen.getByRole<HTMLInputElement>('textbox', { name: 'P' });
    await user.click(phone);
    await user.paste('98765 43210 98765');
    expect(phone).toHaveValue('');
    expect(phone).toHaveAccessibleDescription(/does not fit in this field/);
    await user.paste('98765-43210');
    expect(phone).toHaveValue('9876543210');
  });

  test('card numbers are grouped in fours, and checked where the method says so', async () => {
    const card = testField({ name: 'cardNumber', props: { label: 'Card' } });
    const { fields } = renderFields(of([card], { checkLuhn: true }));
    await user.type(box('Card'), '4276380012345678');
    expect(box('Card')).toHaveValue('4276 3800 1234 5678');
    expect(fields().isValid).toBe(false);
    await user.clear(box('Card'));
    await user.click(box('Card'));
    await user.paste('4111-1111-1111-1111');
    expect(box('Card')).toHaveValue('4111 1111 1111 1111');
    expect(fields().isValid).toBe(true);
    expect(box('Card')).toHaveAttribute('autocomplete', 'cc-number');
    expect(box('Card')).toHaveAttribute('inputmode', 'numeric');
  });
});
