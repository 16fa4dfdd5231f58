// @vitest-environment jsdom
import type { FormField, PaymentMethod } from '@opencashier/contract/api';
import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { createFixtureServices, createSession } from '../session/services-fixture.ts';
import { methodWith, renderFields, testField } from './form-fixture.tsx';

const user = userEvent.setup();
const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const of = (fields: FormField[], more: Partial<PaymentMethod> = {}) => methodWith({ ...more, fields });
const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ text: `Bank ${index}`, value: `b${index}` }));

describe('[FORM-1] fields as the server describes them', () => {
  test('every type has its label, placeholder and value; hidden fields are sent too', async () => {
    const { fields } = renderFields(
      of([
        testField({ name: 'note', props: { label: 'Note' }, placeholder_text: 'Anything' }),
        testField({ name: 'code', type: 'text_uppercase', props: { label: 'Code' } }),
        testField({ name: 'bank', type: 'dropdown', props: { label: 'Bank', items: items(3) } }),
        testField({
          name: 'chain',
          type: 'networks',
          values: [{ text: 'TRC-20', value: 'trc20' }],
          props: { label: 'Chain' },
        }),
        testField({ name: 'most', type: 'amount', props: { label: 'Most' } }),
        testField({ name: 'channel', props: { value: 'cashier', isHidden: true } }),
        testField({ name: 'fixed', props: { label: 'Fixed', value: 'as it is', isDisabled: true } }),
      ]),
    );
    expect(box('Note')).toHaveAttribute('placeholder', 'Anything');
    expect(box('Fixed')).toBeDisabled();
    await user.type(box('Note'), ' hi ');
    await user.type(box('Code'), 'ab1');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Bank' }), 'b1');
    await user.type(box('Most'), '1500.5');
    expect(box('Most')).toHaveValue('1,500.5');
    expect(fields().values).toEqual({
      note: 'hi',
      code: 'AB1',
      bank: 'b1',
      chain: 'trc20',
      most: '1500.5',
      channel: 'cashier',
      fixed: 'as it is',
    });
  });
});

describe('[FORM-2] rules', () => {
  test('a rule shows its message, and never a key without a text', async () => {
    renderFields(
      of([
        testField({ name: 'a', regex: '^\\d+$', props: { label: 'A' } }),
        testField({ name: 'b', regex: '^\\d+$', regex_error_key: 'no.such.key', props: { label: 'B' } }),
        testField({ name: 'c', props: { label: 'C', validations: [{ regex: '^x', message: 'Begin with an x' }] } }),
      ]),
    );
    for (const name of ['A', 'B', 'C']) await user.type(box(name), 'q');
    expect(box('A')).toHaveAccessibleDescription('Check what you entered');
    expect(box('B')).toHaveAccessibleDescription('Check what you entered');
    expect(box('C')).toHaveAccessibleDescription('Begin with an x');
  });

  test('an unusable rule is reported to the host once and skipped', async () => {
    const { fields, services } = renderFields(
      of([testField({ name: 'a', regex: '(a+)+$', props: { label: 'A' } }), testField({ name: 'b', regex: '(' })]),
    );
    await user.type(box('A'), 'aaaa!');
    expect(fields().isValid).toBe(true);
    expect(services.posted).toEqual([
      {
        messageType: 'error',
        payload: { code: 'invalid-response', message: 'A rule of a of bank_card was skipped: unsafe.' },
      },
      {
        messageType: 'error',
        payload: { code: 'invalid-response', message: 'A rule of b of bank_card was skipped: malformed.' },
      },
    ]);
  });
});

describe('[FORM-3] phones', () => {
  const country = (code: string, prefix: string) => ({ name: code, code, prefix, example: `${prefix.length}01 23` });
  const phone = testField({
    name: 'phone',
    type: 'phone_with_prefix',
    regex: '^\\d{9,10}$',
    countries: [country('KZ', '+7'), country('KG', '+996'), country('UZ', '+998')],
    props: { label: 'Phone' },
  });

  test('accepts only digits, of any script; the prefix cannot be changed and a plus is blocked', async () => {
    const { fields } = renderFields(of([phone]));
    await user.type(box('Phone'), '+70x1 ٢٣٤');
    expect(box('Phone')).toHaveValue('701234');
    expect(fields().values).toEqual({ phone: '+7701234' });
    await user.type(box('Phone'), '{Control>}a{/Control}{Backspace}{Backspace}');
    await user.clear(box('Phone'));
    expect(fields().values).toEqual({});
    await user.type(box('Phone'), '5');
    expect(fields().values).toEqual({ phone: '+75' });
  });

  test('a pasted number with a prefix chooses its country, and the prefix is not repeated', async () => {
    const { fields } = renderFields(of([phone]));
    await user.click(box('Phone'));
    await user.paste('+998 (90) 123-45-67');
    expect(screen.getByRole('combobox', { name: 'Phone: country code' })).toHaveValue('+998');
    expect(fields().values).toEqual({ phone: '+998901234567' });
    expect(box('Phone')).toHaveAttribute('autocomplete', 'tel-national');
    expect(box('Phone')).toHaveAttribute('inputmode', 'tel');
  });

  test('a number from the catalogue is split; the rule does not see the prefix', () => {
    const { fields } = renderFields(of([{ ...phone, props: { ...phone.props, value: '+996555123456' } }]));
    expect(box('Phone')).toHaveValue('555123456');
    expect(fields()).toMatchObject({ isValid: true, values: { phone: '+996555123456' } });
  });

  test('many countries are chosen in a list with a search', async () => {
    const many = Array.from({ length: 8 }, (_, index) =>
      country(['DE', 'FR', 'IT', 'ES', 'PT', 'PL', 'GR', 'IE'][index] ?? 'XX', `+${30 + index}`),
    );
    const { fields } = renderFields(of([{ ...phone, countries: many }]));
    await user.click(screen.getByRole('combobox', { name: 'Phone: country code' }));
    await user.type(await screen.findByRole('combobox', { name: 'Search' }), 'pol{Enter}');
    expect(screen.getByRole('combobox', { name: 'Phone: country code' })).toHaveTextContent('+35');
    await user.type(box('Phone'), '123456789');
    expect(fields().values).toEqual({ phone: '+35123456789' });
  });
});

describe('[FORM-4] kinds of text', () => {
  test.each([
    ['email', 'a@b.example', 'a@b'],
    ['url', 'https://a.example', 'a.example'],
    ['integer', '-12', '1.5'],
    ['decimal', '1.5', '1.5.1'],
    ['alpha', 'Žižka', 'R2'],
  ])('%s takes %s, not %s', async (category, right, wrong) => {
    const { fields } = renderFields(of([testField({ name: 'x', category, props: { label: 'X' } })]));
    await user.type(box('X'), wrong);
    expect(fields().isValid).toBe(false);
    await user.clear(box('X'));
    await user.type(box('X'), right);
    expect(fields()).toMatchObject({ isValid: true, values: { x: right } });
  });

  test('a name alone decides only where the operator has no rule', async () => {
    const { fields } = renderFields(of([testField({ name: 'email', regex: '^.+@.+$', props: { label: 'E' } })]));
    await user.type(box('E'), 'ж@пример');
    expect(fields().isValid).toBe(true);
    expect(box('E')).toHaveAttribute('inputmode', 'email');
    expect(box('E')).toHaveAttribute('autocomplete', 'email');
  });

  test('uppercase keeps the caret, a wallet has no spaces', async () => {
    const { fields } = renderFields(
      of([
        testField({ name: 'code', type: 'text_uppercase', props: { label: 'Code' } }),
        testField({ name: 'wallet', props: { label: 'Wallet' } }),
      ]),
    );
    await user.type(box('Code'), 'ac');
    await user.type(box('Code'), 'b', { initialSelectionStart: 1, initialSelectionEnd: 1 });
    expect(box('Code')).toHaveValue('ABC');
    expect(box('Code').selectionStart).toBe(2);
    await user.click(box('Wallet'));
    await user.paste(' bc1q xyz\n');
    expect(fields().values).toEqual({ code: 'ABC', wallet: 'bc1qxyz' });
  });
});

describe('[FORM-5] when errors show', () => {
  const three = testField({ name: 'a', regex: '^\\d{3}$', props: { label: 'A' } });

  test('after input, after blur, and not while the field has the focus again', async () => {
    const { fields } = renderFields(of([three]));
    expect(box('A')).not.toHaveAttribute('aria-invalid');
    await user.click(box('A'));
    await user.tab();
    expect(box('A')).toHaveAccessibleDescription('Fill in this field');
    await user.click(box('A'));
    expect(box('A')).not.toHaveAttribute('aria-invalid');
    await user.keyboard('1');
    expect(box('A')).toHaveAccessibleDescription('Check what you entered');
    await user.keyboard('23');
    expect(box('A')).not.toHaveAttribute('aria-invalid');
    expect(fields().states[0]?.submit).toEqual({ isTriggered: true, isValid: true, isFilled: true });
  });

  test('a field that the server refuses says so until it is changed', async () => {
    const { fields } = renderFields(of([three]));
    await user.type(box('A'), '123');
    act(() => fields().refuse(['a']));
    expect(box('A')).toHaveAccessibleDescription('This was not accepted. Check what you entered.');
    await user.type(box('A'), '{Backspace}4');
    expect(box('A')).not.toHaveAttribute('aria-invalid');
  });

  test('a refusal without words of the server stays while another field is changed; its own words may be about that field', async () => {
    const { fields } = renderFields(of([three, testField({ name: 'b', props: { label: 'B' } })]));
    await user.type(box('A'), '123');
    act(() => fields().refuse(['a']));
    await user.type(box('B'), 'x');
    expect(fields()).toMatchObject({ isValid: false });
    act(() => fields().refuse(['a'], 'B has another A.'));
    expect(box('A')).toHaveAccessibleDescription('B has another A.');
    await user.type(box('B'), 'y');
    expect(box('A')).not.toHaveAttribute('aria-invalid');
    expect(fields()).toMatchObject({ isValid: true });
  });
});

test('[FORM-6] a Pix form shows cpf and the chosen key, and sends the mapping', async () => {
  const values = ['cpf', 'email', 'random'].map((value) => ({ text: value, value }));
  const { fields } = renderFields(
    of([
      testField({ name: 'pixKeyType', type: 'dropdown', regex: '^.+$', values, props: { label: 'Kind' } }),
      testField({ name: 'cpf', mask: '###.###.###-##', regex: '^[\\d.-]{14}$', props: { label: 'CPF' } }),
      testField({ name: 'email', regex: '@', props: { label: 'Mail' } }),
      testField({ name: 'random', regex: '^.{4}$', props: { label: 'Key' } }),
    ]),
  );
  expect(screen.queryByRole('textbox', { name: 'Mail' })).toBeNull();
  await user.type(box('CPF'), '12345678909');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'random');
  await user.type(box('Key'), 'abcd');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'email');
  expect(screen.queryByRole('textbox', { name: 'Key' })).toBeNull();
  await user.type(box('Mail'), 'a@b');
  expect(fields()).toMatchObject({
    isValid: true,
    values: { pixKeyType: 'email', pixKey: 'a@b', numberId: '123.456.789-09', numberType: 'cpf' },
  });
});

describe('[FORM-7] lists', () => {
  const list = (name: string, count: number) =>
    testField({ name, type: 'dropdown', regex: '^.+$', props: { label: name, items: items(count) } });

  test('five items are the platform’s own list, six a list with a search box', async () => {
    renderFields(of([list('five', 5), list('six', 6)]));
    expect(screen.getByRole('combobox', { name: 'five' }).tagName).toBe('SELECT');
    await user.click(screen.getByRole('combobox', { name: 'six' }));
    expect(await screen.findByRole('listbox', { name: 'six' })).toBeVisible();
    expect(screen.getAllByRole('option', { name: /^Bank/ })).toHaveLength(5 + 6);
  });

  test('with the keyboard alone: typing on it searches, arrows move, Enter takes, the focus comes back', async () => {
    const { fields } = renderFields(of([list('bank', 12)]));
    const button = () => screen.getByRole('combobox', { name: 'bank' });
    button().focus();
    await user.keyboard('1');
    const search = await screen.findByRole('combobox', { name: 'Search' });
    expect(search).toHaveFocus();
    expect(search).toHaveValue('1');
    expect(
      within(screen.getByRole('listbox'))
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Bank 1', 'Bank 10', 'Bank 11']);
    await user.keyboard('{ArrowDown}{ArrowDown}');
    const active = document.getElementById(search.getAttribute('aria-activedescendant') ?? '');
    expect(active).toHaveTextContent('Bank 10');
    await user.keyboard('{Enter}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(button()).toHaveTextContent('Bank 10');
    expect(button()).toHaveFocus();
    expect(fields().values).toEqual({ bank: 'b10' });
  });

  test('a search without a result says so, and closing the list chooses nothing', async () => {
    const { fields } = renderFields(of([list('bank', 7)]));
    await user.click(screen.getByRole('combobox', { name: 'bank' }));
    await user.type(await screen.findByRole('combobox', { name: 'Search' }), 'zz');
    expect(screen.getByText('Nothing found for “zz”')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(fields().values).toEqual({});
  });

  test('only one list is open at a time', async () => {
    renderFields(of([list('one', 7), list('two', 7)]));
    await user.click(screen.getByRole('combobox', { name: 'one' }));
    await screen.findByRole('listbox', { name: 'one' });
    fireEvent.click(screen.getByRole('combobox', { name: 'two' }));
    expect(await screen.findByRole('listbox', { name: 'two' })).toBeVisible();
    expect(screen.getAllByRole('listbox')).toHaveLength(1);
  });
});

describe('[FORM-12] the bank of a card', () => {
  const method = of([testField({ name: 'cardNumber', props: { label: 'Card' } })], { flags: { bankLookup: true } });

  test('is named after a pause in typing, and asked for once', async () => {
    const services = createFixtureServices({ 'bank-get': { bank: { name: 'Sberbank' } } });
    const { pass } = renderFields(method, services);
    await user.type(box('Card'), '427638');
    await pass(299);
    expect(services.requestsOf('bank-get')).toEqual([]);
    await pass(1);
    expect(box('Card')).toHaveAccessibleDescription('Sberbank');
    await user.type(box('Card'), '0012345678');
    await pass(300);
    expect(services.requestsOf('bank-get')).toEqual([
      { payment_method: 'bank_card', bin: '427638' },
      { payment_method: 'bank_card', bin: '42763800' },
    ]);
  });

  test('an unknown bank, a failed lookup and no lookup block nothing', async () => {
    const failure = new ClientError({ kind: 'network', code: 'socket.networkError', status: 0, message: 'lost' });
    const services = createFixtureServices({ 'bank-get': () => Promise.reject(failure) });
    const first = renderFields(method, services);
    await user.type(box('Card'), '4276380012345678');
    await first.pass(300);
    expect(first.fields().isValid).toBe(true);
    expect(services.metrics).toEqual([['bank-get.failed', 'socket.networkError']]);
    first.unmount();
    const quiet = createFixtureServices({ 'bank-get': { bank: null } });
    const second = renderFields(of(method.fields), quiet);
    await user.type(box('Card'), '4276380012345678');
    await second.pass(300);
    expect(quiet.requestsOf('bank-get')).toEqual([]);
  });
});

test('Enter leads to the next empty field, and sends the form from the last', async () => {
  const { container } = renderFields(
    of([testField({ name: 'a', props: { label: 'A' } }), testField({ name: 'b', props: { label: 'B' } })]),
    createFixtureServices({}, { session: createSession() }),
  );
  const form = document.createElement('form');
  container.replaceWith(form);
  form.append(container);
  expect(box('A')).toHaveAttribute('enterkeyhint', 'next');
  await user.type(box('A'), 'x{Enter}');
  expect(box('B')).toHaveFocus();
  expect(box('B')).toHaveAttribute('enterkeyhint', 'go');
});
