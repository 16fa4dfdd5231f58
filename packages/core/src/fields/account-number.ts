/** Account numbers that carry a published check of their own: a field says by its category which one its value must pass. */
import type { FormField } from '@opencashier/contract/api';
import { ibanError } from './iban.ts';

export const NUBAN_KEY = 'form.nuban.invalid';
export const CLABE_KEY = 'form.clabe.invalid';
export const CPF_KEY = 'form.cpf.invalid';

/** The category of the field that holds the code of the account's bank. */
const BANK_CATEGORY = 'bank';

const NUBAN_WEIGHTS = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3];
const NUBAN_DIGITS = 10;

function weighted(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (const [index, weight] of weights.entries()) sum += weight * Number(digits.charAt(index));
  return sum;
}

/**
 * The last digit of a Nigerian account number, by the uniform bank account number scheme of the Central Bank of Nigeria
 * (NUBAN, 2010): weights over the bank's code and the serial number, and what is missing to the next ten.
 * @param bank three digits, such as `011`
 * @param serial the first nine digits of the account number
 */
export function nubanCheckDigit(bank: string, serial: string): string {
  return String((10 - (weighted(bank + serial, NUBAN_WEIGHTS) % 10)) % 10);
}

/**
 * Whether an account number belongs to a bank. Only deposit money banks, whose codes have three digits, gave all their numbers
 * by the scheme; those of other institutions only have its length, as a person's phone number has that opens a wallet.
 */
function passesNuban(account: string, bank: string | undefined): boolean {
  if (!/^\d{10}$/.test(account)) return false;
  if (bank === undefined || !/^\d{3}$/.test(bank)) return true;
  return account.charAt(NUBAN_DIGITS - 1) === nubanCheckDigit(bank, account.slice(0, -1));
}

/** The eighteenth digit of a Mexican account: weights 3, 7, 1 over the others, each product without its tens. */
function passesClabe(text: string): boolean {
  const clabe = text.replace(/\s/g, '');
  if (!/^\d{18}$/.test(clabe)) return false;
  let sum = 0;
  for (let index = 0; index < 17; index += 1) {
    sum += (Number(clabe.charAt(index)) * ([3, 7, 1][index % 3] ?? 0)) % 10;
  }
  return Number(clabe.charAt(17)) === (10 - (sum % 10)) % 10;
}

/** Brazil's number of a person: two check digits, each from a falling row of weights. One digit eleven times is none. */
function passesCpf(text: string): boolean {
  const cpf = text.replace(/[.\s-]/g, '');
  if (!/^\d{11}$/.test(cpf) || /^(\d)\1+$/.test(cpf)) return false;
  return [9, 10].every((length) => {
    const weights = Array.from({ length }, (_unused, index) => length + 1 - index);
    return Number(cpf.charAt(length)) === ((weighted(cpf, weights) * 10) % 11) % 10;
  });
}

/** The key of what is wrong with a value. */
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
 * The key of what is wrong with an account number, by its field's category: `nuban`, `iban`, `sepa_iban` (of a SEPA country alone),
 * `clabe` or `cpf` (FORM-4). A field of any other category has no such check.
 * @param value not empty
 * @param bank the value of the form's bank field, where it has one
 */
export function accountError(
  { category }: Pick<FormField, 'category'>,
  value: string,
  bank: string | undefined,
): string | undefined {
  return CHECKS.get(category)?.(value, bank);
}

/** Whether a field holds an IBAN, of any country or of those of SEPA. */
export function isIbanField({ category }: Pick<FormField, 'category'>): boolean {
  return category === 'iban' || category === 'sepa_iban';
}

/** What the form's field of the category `bank` holds; undefined where there is none or nothing is chosen. */
export function bankOf(
  fields: readonly Pick<FormField, 'name' | 'category'>[],
  values: Readonly<Record<string, string>>,
): string | undefined {
  const field = fields.find(({ category }) => category === BANK_CATEGORY);
  const value = field && values[field.name]?.trim();
  return value === '' ? undefined : value;
}
