/** Account numbers with a published check digit. The category of a field selects the check. */
import type { FormField } from '@opencashier/contract/api';
import { ibanError } from './iban.ts';

export const NUBAN_KEY = 'form.nuban.invalid';
export const CLABE_KEY = 'form.clabe.invalid';
export const CPF_KEY = 'form.cpf.invalid';

/** The category of the field with the bank code of the account. */
const BANK_CATEGORY = 'bank';

const NUBAN_WEIGHTS = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3];
const NUBAN_DIGITS = 10;

function weighted(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (const [index, weight] of weights.entries()) sum += weight * Number(digits.charAt(index));
  return sum;
}

/**
 * The last digit of a Nigerian account number, by the uniform scheme of the Central Bank of Nigeria (NUBAN, 2010).
 * The weighted sum of bank code and serial number is completed to the next multiple of ten.
 * @param bank three digits, such as `011`
 * @param serial the first nine digits of the account number
 */
export function nubanCheckDigit(bank: string, serial: string): string {
  return String((10 - (weighted(bank + serial, NUBAN_WEIGHTS) % 10)) % 10);
}

/**
 * Whether an account number belongs to a bank. Only deposit money banks, with codes of three digits, use check digits.
 * Other institutions use only the length: a wallet's account number may be a phone number.
 */
function passesNuban(account: string, bank: string | undefined): boolean {
  if (!/^\d{10}$/.test(account)) return false;
  if (bank === undefined || !/^\d{3}$/.test(bank)) return true;
  return account.charAt(NUBAN_DIGITS - 1) === nubanCheckDigit(bank, account.slice(0, -1));
}

/** Checks the eighteenth digit of a Mexican account: weights 3, 7, 1 over the other digits, each product modulo ten. */
function passesClabe(text: string): boolean {
  const clabe = text.replace(/\s/g, '');
  if (!/^\d{18}$/.test(clabe)) return false;
  let sum = 0;
  for (let index = 0; index < 17; index += 1) {
    sum += (Number(clabe.charAt(index)) * ([3, 7, 1][index % 3] ?? 0)) % 10;
  }
  return Number(clabe.charAt(17)) === (10 - (sum % 10)) % 10;
}

/** Checks the two check digits of a Brazilian tax number (CPF). Eleven equal digits are not a CPF. */
function passesCpf(text: string): boolean {
  const cpf = text.replace(/[.\s-]/g, '');
  if (!/^\d{11}$/.test(cpf) || /^(\d)\1+$/.test(cpf)) return false;
  return [9, 10].every((length) => {
    const weights = Array.from({ length }, (_unused, index) => length + 1 - index);
    return Number(cpf.charAt(length)) === ((weighted(cpf, weights) * 10) % 11) % 10;
  });
}

/** Returns the locale key of the error; undefined for a valid value. */
type Check = (value: string, bank: string | undefined) => string | undefined;

const keyUnless =
  (key: string, passes: (value: string, bank: string | undefined) => boolean): Check =>
  (value, bank) =>
    passes(value, bank) ? undefined : key;

const CHECKS: ReadonlyMap<string | undefined, Check> = new Map<string, Check>([
  ['nuban', keyUnless(NUBAN_KEY, passesNuban)],
  ['iban', (value) => ibanError(value)],
  ['sepa_iban', (value) => ibanError(value, true)],
  ['clabe', keyUnless(CLABE_KEY, passesClabe)],
  ['cpf', keyUnless(CPF_KEY, passesCpf)],
]);

/**
 * The locale key of an account number's error, by the category of its field (FORM-4).
 * Categories: `nuban`, `iban`, `sepa_iban` (only SEPA countries), `clabe`, `cpf`. Other categories have no check.
 * @param value not empty
 * @param bank the value of the form's bank field, if the form has one
 */
export function accountError(
  { category }: Pick<FormField, 'category'>,
  value: string,
  bank: string | undefined,
): string | undefined {
  return CHECKS.get(category)?.(value, bank);
}

/** Whether a field holds an IBAN, of any country or only of SEPA countries. */
export function isIbanField({ category }: Pick<FormField, 'category'>): boolean {
  return category === 'iban' || category === 'sepa_iban';
}

/** The value of the form's field with the category `bank`. Undefined when the form has none or nothing is chosen. */
export function bankOf(
  fields: readonly Pick<FormField, 'name' | 'category'>[],
  values: Readonly<Record<string, string>>,
): string | undefined {
  const field = fields.find(({ category }) => category === BANK_CATEGORY);
  const value = field && values[field.name]?.trim();
  return value === '' ? undefined : value;
}
