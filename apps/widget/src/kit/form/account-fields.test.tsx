// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import { methodWith, renderFields, testField } from './form-fixture.tsx';

const user = userEvent.setup();
afterEach(cleanup);
const box = (name: string): HTMLInputElement => screen.getByRole('textbox', { name });

const wallet = testField({ name: 'wallet', regex: '^\\S{20,100}$', props: { label: 'Wallet' } });
const memo = testField({ name: 'memo', props: { label: 'Memo' } });
const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const ton = 'EQBvW8Z5huBkMJYdnfAEM5JqTNkuWX3diqYENkWsIL0XggGG';

describe('[FORM-4] a wallet field understands pasted texts', () => {
  test('takes the address of a payment link, and says that the amount is not used', async () => {
    const { fields } = renderFields(methodWith({ fields: [wallet] }));
    await user.click(box('Wallet'));
    await user.paste(` bitcoin:${address}?amount=0.5&label=Ana\n`);
    expect(fields()).toMatchObject({ isValid: true, values: { wallet: address } });
    expect(box('Wallet')).toHaveValue(address);
    expect(screen.getByRole('status')).toHaveTextContent('Only the address was filled in from the link');
    await user.clear(box('Wallet'));
    await user.paste(`${address.slice(0, 10)} ${address.slice(10)}`);
    expect(fields().values).toEqual({ wallet: address });
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
  });

  test('the receiver’s memo goes into its own field, where there is one', async () => {
    const { fields } = renderFields(methodWith({ fields: [wallet, memo] }));
    await user.click(box('Wallet'));
    await user.paste(`ton://transfer/${ton}?text=12345`);
    expect(fields().values).toEqual({ wallet: ton, memo: '12345' });
    expect(screen.getByRole('status')).toHaveTextContent('The address and memo');
  });
});

describe('account numbers', () => {
  const item = (value: string) => ({ text: `Bank ${value}`, value });
  const bank = testField({
    name: 'bank',
    type: 'dropdown',
    category: 'bank',
    values: ['011', '058'].map(item),
    props: { label: 'Bank' },
  });
  const account = testField({
    name: 'account',
    category: 'nuban',
    mask: '##########',
    regex: '^\\d{10}$',
    props: { label: 'Account' },
  });

  test('[FORM-4] the check digit depends on the chosen bank, in either order', async () => {
    const { fields } = renderFields(methodWith({ fields: [bank, account] }));
    await user.type(box('Account'), '0000014579');
    expect(fields().isValid).toBe(true);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Bank' }), '058');
    expect(fields().isValid).toBe(false);
    expect(box('Account')).toHaveAccessibleDescription(/does not match the chosen bank/);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Bank' }), '011');
    expect(fields()).toMatchObject({ isValid: true, values: { bank: '011', account: '0000014579' } });
    expect(box('Account')).toHaveAttribute('inputmode', 'numeric');
  });

  test('[FORM-4] a bank that was chosen before the form counts as well', async () => {
    const chosen = { ...bank, props: { isHidden: true, value: '058' } };
    const { fields } = renderFields(methodWith({ fields: [chosen, account] }));
    await user.type(box('Account'), '0000014579');
    expect(fields().isValid).toBe(false);
    expect(fields().values['bank']).toBe('058');
  });

  test('[FORM-8] an IBAN is grouped in fours while typed, and its check digits are checked', async () => {
    const iban = testField({
      name: 'iban',
      type: 'text_uppercase',
      category: 'iban',
      regex: '^[A-Z]{2}\\d{2}(?: ?[A-Z0-9]){11,30}$',
      props: { label: 'IBAN' },
    });
    const { fields } = renderFields(methodWith({ fields: [iban] }));
    await user.type(box('IBAN'), 'de89370400440532013000');
    expect(box('IBAN')).toHaveValue('DE89 3704 0044 0532 0130 00');
    expect(fields().isValid).toBe(true);
    await user.type(box('IBAN'), '{Backspace}1');
    expect(box('IBAN')).toHaveAccessibleDescription(/Check the IBAN/);
  });

  test.each([
    ['TR330006100519786457841326', /outside SEPA/],
    ['US89370400440532013000', /no country uses them/],
    ['DE8937040044053201300', /a character is missing/],
  ])('[FORM-4] a field for SEPA says what is wrong with %s', async (typed, words) => {
    const iban = testField({ name: 'iban', type: 'text_uppercase', category: 'sepa_iban', props: { label: 'IBAN' } });
    const { fields } = renderFields(methodWith({ fields: [iban] }));
    await user.type(box('IBAN'), typed);
    await user.tab();
    expect(box('IBAN')).toHaveAccessibleDescription(words);
    expect(fields().isValid).toBe(false);
  });
});

test('[FORM-7] typing faster than the list loads loses no letter', async () => {
  const values = ['Bradesco', 'Inter', 'Nubank', 'Neon', 'Safra', 'Santander'].map((text) => ({ text, value: text }));
  renderFields(
    methodWith({ fields: [testField({ name: 'bank', type: 'dropdown', values, props: { label: 'Bank' } })] }),
  );
  screen.getByRole('combobox', { name: 'Bank' }).focus();
  // Into whatever has the focus: the button while the list is on its way, then the search box.
  await userEvent.setup({ delay: null }).keyboard('nu');
  const sheet = await screen.findByRole('dialog', { name: 'Bank' });
  expect(within(sheet).getByRole('combobox')).toHaveValue('nu');
  expect(
    within(sheet)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Nubank']);
});
