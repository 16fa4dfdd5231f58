import type { FormField } from '@opencashier/contract/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardDigits, groupCardNumber, passesLuhn } from './card-number.ts';
import { CONFIRMATION_ID_ERROR_KEY, isConfirmationId } from './confirmation-id.ts';
import { needsDropdownSearch, searchDropdown } from './dropdown-search.ts';
import { fieldAfter, initialFieldState, isSubmitDisabled, toggledDropdown } from './form-state.ts';
import { countryOfPhone, phoneBody, typePhone } from './phone.ts';
import { pixFieldValues, visiblePixFields } from './pix-fields.ts';
import { type FieldValidationInput, normaliseFieldValue, validateField } from './validate-field.ts';

const field = (more: Partial<FormField> = {}): FormField => ({ name: 'account', type: 'text', ...more });
const verdict = (value: string, more: Partial<FormField> = {}, input: Partial<FieldValidationInput> = {}) =>
  validateField({ field: field(more), value, method: 'upi', ...input });

describe('validation', () => {
  test('[FORM-2] the rule tests the trimmed value, and the default message is the method’s', () => {
    const regex = '^\\d{4}$';
    expect(verdict(' 1234 ', { regex }).error).toBeUndefined();
    expect(verdict('12', { regex }).error).toEqual({ message: 'paymentMethods.regex_error.upi' });
    expect(verdict('12', { regex, regex_error_key: 'own.key' }).error).toEqual({ message: 'own.key' });
  });

  test('[FORM-1] [FORM-2] validations follow the field’s own rule, each with its own message', () => {
    const props = { validations: [{ regex: '^A', message: 'starts-with-a' }, { regex: 'Z$' }] };
    expect(verdict('B', { props }).error).toEqual({ message: 'starts-with-a' });
    expect(verdict('A', { props }).error).toEqual({ message: 'paymentMethods.regex_error.upi' });
    expect(verdict('AZ', { props }).error).toBeUndefined();
    expect(verdict('B', { regex: '^C', regex_error_key: 'first', props }).error).toEqual({ message: 'first' });
  });

  test('[FORM-1] a rule with isExists applies only to a value that is not empty', () => {
    const validations = [{ regex: '^\\d+$', isExists: true }];
    expect(verdict(' ', { props: { validations } }).error).toBeUndefined();
    expect(verdict('x', { props: { validations } }).error).toBeDefined();
    expect(verdict('', { props: { validations: [{ regex: '^\\d+$' }] } }).error).toBeDefined();
  });

  test('[FORM-2] a broken or dangerous rule is skipped and reported; the others still apply', () => {
    const props = { validations: [{ regex: '(a+)+$' }, { regex: '^\\d+$', message: 'digits' }] };
    expect(verdict('x', { regex: '(', props })).toEqual({
      error: { message: 'digits' },
      skipped: [
        { field: 'account', fault: 'malformed' },
        { field: 'account', fault: 'unsafe' },
      ],
    });
  });

  test('[FORM-1] a dropdown accepts only its items; its rules decide whether it may stay empty', () => {
    const items = [{ text: 'North', value: 'north' }];
    for (const more of [{ values: items }, { props: { items } }]) {
      expect(verdict('north', { type: 'dropdown', ...more }).error).toBeUndefined();
      expect(verdict('', { type: 'networks', ...more }).error).toBeUndefined();
      expect(verdict('south', { type: 'networks', ...more }).error).toBeDefined();
    }
    expect(verdict('anything', { type: 'dropdown' }).error).toBeUndefined();
  });

  test('[FORM-8] a value is complete under its mask, with or without the mask’s literals', () => {
    const cpf = { mask: '###.###.###-##' };
    expect(verdict('529.982.247-25', cpf).error).toBeUndefined();
    expect(verdict('52998224725', cpf).error).toBeUndefined();
    for (const bad of ['529.982.247-2', '529.982.247-25 ok', '529982247-25x', 'x']) {
      expect(verdict(bad, cpf).error).toEqual({ message: 'paymentMethods.regex_error.upi' });
    }
    expect(verdict('29.02.2024', { mask: 'date' }).error).toBeUndefined();
    for (const bad of ['29.02.2023', '31.12.1899', '29022024'])
      expect(verdict(bad, { mask: 'date' }).error).toBeDefined();
    expect(verdict('28', { props: { mask: 'range:1-28' } }).error).toBeUndefined();
    for (const bad of ['0', '29', '007']) expect(verdict(bad, { mask: 'range:1-28' }).error).toBeDefined();
    expect(verdict('ms', { mask: 'enum:MR|MS', type: 'text_uppercase' }).error).toBeUndefined();
    expect(verdict('MX', { mask: 'enum:MR|MS' }).error).toBeDefined();
    expect(verdict('', { mask: 'date' }).error).toBeUndefined();
  });

  test('[FORM-1] an amount field accepts a decimal number', () => {
    expect(verdict('12.50', { type: 'amount' }).error).toBeUndefined();
    for (const bad of ['1e3', '-1', '1,5', 'x']) expect(verdict(bad, { type: 'amount' }).error).toBeDefined();
  });

  test('[FORM-2] a phone is tested without its prefix', () => {
    const phone = { type: 'phone_with_prefix', regex: '^\\d{10}$' } as const;
    expect(verdict('+919876543210', phone, { prefix: '+91' }).error).toBeUndefined();
    expect(verdict('+9198765', phone, { prefix: '+91' }).error).toBeDefined();
  });

  test('[FORM-4] uppercase fields are uppercased before they are tested and sent', () => {
    expect(normaliseFieldValue({ type: 'text_uppercase' }, ' sbin0001 ')).toBe('SBIN0001');
    expect(verdict('sbin', { type: 'text_uppercase', regex: '^[A-Z]+$' }).error).toBeUndefined();
    expect(normaliseFieldValue({ type: 'text' }, ' Ab ')).toBe('Ab');
  });

  test('[FORM-1] a hidden field passes', () => {
    expect(verdict('', { regex: '.', props: { isHidden: true } }).error).toBeUndefined();
  });

  test('[FORM-8] checkLuhn checks the card number and no other field', () => {
    expect(verdict('4242 4242 4242 4242', { name: 'card_number' }, { checkLuhn: true }).error).toBeUndefined();
    expect(verdict('4242 4242 4242 4241', { name: 'card_number' }, { checkLuhn: true }).error).toBeDefined();
    expect(verdict('4242 4242 4242 4241', { name: 'card_number' }).error).toBeUndefined();
    expect(verdict('1', { name: 'holder' }, { checkLuhn: true }).error).toBeUndefined();
  });
});

describe('card numbers', () => {
  test('[FORM-8] grouped in fours, in any spacing and script', () => {
    expect(groupCardNumber('4276380012345678')).toBe('4276 3800 1234 5678');
    expect(groupCardNumber('4276-38')).toBe('4276 38');
    expect(groupCardNumber('٤٢٧٦٣')).toBe('4276 3');
    expect(cardDigits('1'.repeat(30))).toHaveLength(19);
  });

  test('[FORM-8] any single wrong digit is found', () => {
    expect(passesLuhn('79927398713')).toBe(false);
    expect(passesLuhn('5555555555554444')).toBe(true);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 1, max: 9 }), (index, change) => {
        const digits = [...'4242424242424242'];
        digits[index] = String((Number(digits[index]) + change) % 10);
        expect(passesLuhn(digits.join(''))).toBe(false);
      }),
    );
  });
});

describe('phones', () => {
  test.each([
    ['+919', '+91', '+919'],
    ['+9198a7', '+9198', '+91987'],
    ['+91+98', '+9198', '+9198'],
    ['+9', '+91', '+91'],
    ['', '+919876', '+91'],
    ['+9876', '+919876', '+919876'],
    ['+976', '+919876', '+919876'],
    ['919876', '+919876', '+919876'],
    ['+5919876', '+919876', '+919876'],
    ['9876543210', '+91', '+919876543210'],
    ['+919876543210', '+91', '+919876543210'],
    ['+91 98765 43210', '+91', '+919876543210'],
    [`+91${'9'.repeat(20)}`, '+91', `+91${'9'.repeat(13)}`],
  ])('[FORM-3] %j after %j is %j', (text, previous, shown) => {
    expect(typePhone(text, previous, '+91')).toBe(shown);
  });

  test('[FORM-3] whatever is typed, the prefix stays and only digits follow', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.stringMatching(/^\d{0,12}$/),
        fc.constantFrom('+7', '+91', '+1876'),
        (text, body, prefix) => {
          const shown = typePhone(text, prefix + body, prefix);
          expect(shown.startsWith(prefix)).toBe(true);
          expect(shown.slice(prefix.length)).toMatch(/^\d{0,14}$/);
        },
      ),
    );
  });

  test('[FORM-3] the body and the country of a number', () => {
    expect(phoneBody('+91 98-76', '+91')).toBe('9876');
    const countries = ['+1', '+1876', '+91'].map((prefix) => ({ name: prefix, code: prefix, prefix, example: '' }));
    expect(countryOfPhone('+18761234567', countries)?.prefix).toBe('+1876');
    expect(countryOfPhone('+49', countries)).toBeUndefined();
  });
});

describe('form', () => {
  const ok = { isTriggered: true, isValid: true, isFilled: true };

  test('[FORM-5] submit is disabled by a triggered invalid field, or by an invalid form with empty fields', () => {
    expect(isSubmitDisabled([ok], true)).toBe(false);
    expect(isSubmitDisabled([ok, { ...ok, isValid: false }], true)).toBe(true);
    expect(isSubmitDisabled([{ isTriggered: false, isValid: false, isFilled: false }], true)).toBe(false);
    expect(isSubmitDisabled([{ isTriggered: false, isValid: false, isFilled: false }], false)).toBe(true);
    expect(isSubmitDisabled([{ isTriggered: false, isValid: false, isFilled: true }], false)).toBe(false);
  });

  test('[FORM-5] errors show after blur, change or input, and focus clears them', () => {
    const start = initialFieldState();
    expect(start.showsError).toBe(false);
    const blurred = fieldAfter(start, { type: 'blur' });
    expect(blurred).toEqual({ value: '', isTriggered: true, showsError: true });
    expect(fieldAfter(blurred, { type: 'focus' })).toMatchObject({ isTriggered: true, showsError: false });
    expect(fieldAfter(start, { type: 'input', value: 'a' })).toEqual({
      value: 'a',
      isTriggered: true,
      showsError: true,
    });
    expect(fieldAfter(start, { type: 'change', value: 'a' }).showsError).toBe(true);
  });

  test('[FORM-7] one dropdown is open at a time, with a search box above five items', () => {
    expect(toggledDropdown('a', 'b')).toBe('b');
    expect(toggledDropdown('a', 'a')).toBeUndefined();
    expect([needsDropdownSearch(5, true), needsDropdownSearch(6, true), needsDropdownSearch(6, false)]).toEqual([
      false,
      true,
      false,
    ]);
    const items = [
      { text: 'Axis Bank', value: 'a' },
      { text: 'HDFC', value: 'h' },
    ];
    expect(searchDropdown(items, ' BANK ')).toEqual([items[0]]);
    expect(searchDropdown(items, 'bank ax')).toEqual([items[0]]);
    expect(searchDropdown(items, 'h', ({ value }) => value)).toEqual([items[1]]);
  });

  test('[FORM-7] search ignores accents and understands letters of other alphabets', () => {
    const items = ['Türkiye', 'İş Bankası', 'Кыргызстан', 'हिन्दी', 'हन्द'].map((text) => ({ text }));
    const found = (query: string) => searchDropdown(items, query).map(({ text }) => text);
    expect(found('turkiye')).toEqual(['Türkiye']);
    expect(found('IS bank')).toEqual(['İş Bankası']);
    expect(found('кыргыз')).toEqual(['Кыргызстан']);
    expect(found('हिन्दी')).toEqual(['हिन्दी']);
    expect(found('')).toHaveLength(5);
  });

  test('[FORM-7] matches at the start of a word come before matches within a word, in every language', () => {
    const items = [
      { text: 'Algerien', more: 'Algeria DZ' },
      { text: 'Nigeria', more: 'NG' },
      { text: 'Deutschland', more: 'Germany DE' },
      { text: 'Südgeorgien', more: 'South Georgia GS' },
    ];
    const found = (query: string) =>
      searchDropdown(items, query, ({ text, more }) => `${text} ${more}`).map(({ text }) => text);
    expect(found('ger')).toEqual(['Deutschland', 'Algerien', 'Nigeria']);
    expect(found('ng')).toEqual(['Nigeria']);
    expect(found('de')).toEqual(['Deutschland']);
    expect(found('geor')).toEqual(['Südgeorgien']);
    expect(found('i')).toEqual(['Algerien', 'Nigeria', 'Südgeorgien']);
    const banks = ['Kotak (Old)', 'Gold', 'Alt-Oldenburg', 'हमहम', 'म'].map((text) => ({ text }));
    expect(searchDropdown(banks, 'old').map(({ text }) => text)).toEqual(['Kotak (Old)', 'Alt-Oldenburg', 'Gold']);
    expect(searchDropdown(banks, 'म').map(({ text }) => text)).toEqual(['म', 'हमहम']);
  });

  test('[FORM-7] a search keeps items with every word of the query, in stable order', () => {
    const text = fc.stringMatching(/^[ab]{1,3}( [ab]{1,3}){0,2}$/);
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), text, (texts, query) => {
        const items = texts.map((one, at) => ({ text: one, at }));
        const words = query.split(' ');
        const begins = (one: { readonly text: string }) =>
          words.every((word) => one.text.split(' ').some((part) => part.startsWith(word)));
        const found = searchDropdown(items, query);
        const held = items.filter((one) => words.every((word) => one.text.includes(word)));
        expect(found).toEqual([...held.filter(begins), ...held.filter((one) => !begins(one))]);
      }),
    );
  });

  test('[FORM-10] a confirmation id has 8 to 10 digits', () => {
    expect(CONFIRMATION_ID_ERROR_KEY).toBe('paymentMethods.regex_error.confirmationId');
    expect(['1234567', '12345678', ' 1234567890 ', '12345678901', '1234567a', ''].map(isConfirmationId)).toEqual([
      false,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('Pix', () => {
  const fields = [
    field({
      name: 'pixKeyType',
      type: 'dropdown',
      values: ['cpf', 'email', 'phone'].map((value) => ({ text: value, value })),
    }),
    field({ name: 'cpf' }),
    field({ name: 'email' }),
    field({ name: 'phone' }),
    field({ name: 'holder' }),
  ];
  const shown = (type: string | undefined) => visiblePixFields(fields, type).map(({ name }) => name);

  test('[FORM-6] the form shows cpf and the chosen key type, and hides the other key types', () => {
    expect(shown('email')).toEqual(['pixKeyType', 'cpf', 'email', 'holder']);
    expect(shown('cpf')).toEqual(['pixKeyType', 'cpf', 'holder']);
    expect(shown(undefined)).toEqual(['pixKeyType', 'cpf', 'holder']);
    expect(visiblePixFields(fields.slice(1), 'email')).toHaveLength(4);
  });

  test('[FORM-6] the key and the tax number are sent under their names, and no stale key of another type', () => {
    const values = { pixKeyType: 'email', cpf: '123', email: 'a@b.co', phone: '+55', holder: 'Ana' };
    expect(pixFieldValues(fields, values)).toEqual({
      pixKeyType: 'email',
      pixKey: 'a@b.co',
      numberId: '123',
      numberType: 'cpf',
      holder: 'Ana',
    });
    expect(pixFieldValues(fields, { pixKeyType: 'cpf', cpf: '123' })).toMatchObject({ pixKey: '123', numberId: '123' });
    expect(pixFieldValues([], values)).toBe(values);
  });
});
