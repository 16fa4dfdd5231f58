/** The destination of a withdrawal, in the order and with the labels of its form (WD-2). */
import type { FieldValues, FormField } from '@opencashier/contract/api';
import { pixFormValues } from '../fields/pix-fields.ts';
import { type DestinationPart, maskedValue } from './masked-destination.ts';

/** A value of the form, by the name of its field. */
export interface AskedPart extends DestinationPart {
  /** True: the user chose the value from a list, such as a bank. The code is no secret; the list has its label. */
  readonly isChoice?: boolean | undefined;
}

/**
 * The entered values in the order of the form. Values without a field come last. A Pix key gets the name of its own
 * field again.
 *
 * @param values as the cashier sends them to the provider
 */
export function destinationParts(fields: readonly FormField[], values: FieldValues): AskedPart[] {
  const typed = pixFormValues(fields, values);
  const asked = fields.flatMap((field): AskedPart[] => {
    const value = typed[field.name];
    if (value === undefined || value === '' || field.props?.isHidden === true) return [];
    return [{ name: field.name, value, ...(isChoice(field) && { isChoice: true }) }];
  });
  const known = new Set(fields.map(({ name }) => name));
  const others = Object.entries(typed).filter(([name, value]) => !known.has(name) && value !== '');
  return [...asked, ...others.map(([name, value]) => ({ name, value }))];
}

const isChoice = ({ type, values, props }: FormField): boolean =>
  type === 'dropdown' || type === 'networks' || values !== undefined || props?.items !== undefined;

/** The masked values for the stored receipt. The user recognises the destination; no name is complete. */
export function receiptParts(parts: readonly AskedPart[]): DestinationPart[] {
  return parts.map(({ name, value, isChoice }) => ({ name, value: isChoice ? value : receiptValue(value) }));
}

function receiptValue(value: string): string {
  const masked = maskedValue(value);
  return masked === value.trim() ? masked.replace(/\S+/gu, initialOf) : masked;
}

/** `Anita` becomes `A•••`. A letter keeps its combining marks. */
const initialOf = (word: string): string => word.replace(/^(\P{M}\p{M}*)\S+$/u, '$1•••');

const GROUP = 4;
/** Shorter values are easy to read without groups. */
const MIN_GROUPED = 9;
/** A value of this length without spaces is an address, whatever characters it has. */
const MIN_ADDRESS = 20;
/** Digits and spaces, and the capitals of an IBAN. */
const number = /^(?=(?:.*\d){9})[\dA-Z ]+$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * A number or an address in groups of four, easy to compare by eye: `TJRa bPrw …`. Without its spaces the result is
 * the value. Names, e-mails and short codes are unchanged.
 */
export function inFours(typed: string): string {
  // Input masks insert their own spaces, sometimes far apart.
  const value = number.test(typed) ? typed.replace(/ /g, '') : typed;
  if (value.length < MIN_GROUPED || value.includes('@')) return value;
  if (value.length >= MIN_ADDRESS && !/\s/.test(value) && !uuid.test(value) && !isWord(value)) return fours(value);
  return value.replace(/[\p{L}\p{N}]{9,}|[\p{L}\p{N}]{5,}(?=-)|(?<=-)[\p{L}\p{N}]{5,}/gu, (run) =>
    /\p{N}/u.test(run) ? fours(run) : run,
  );
}

/** True for a long name, which stays in one piece. An address has digits, or capitals in its middle. */
const isWord = (value: string): boolean => /^[\p{L}\p{M}'’-]+$/u.test(value) && !/\p{Ll}\p{Lu}/u.test(value);

function fours(run: string): string {
  const characters = [...run];
  const groups: string[] = [];
  for (let at = 0; at < characters.length; at += GROUP) groups.push(characters.slice(at, at + GROUP).join(''));
  return groups.join(' ');
}
