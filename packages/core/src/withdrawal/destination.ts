/** Where a withdrawal goes, in the order and the words of its form (WD-2). */
import type { FieldValues, FormField } from '@opencashier/contract/api';
import { pixFormValues } from '../fields/pix-fields.ts';
import { type DestinationPart, maskedValue } from './masked-destination.ts';

/** A value of the form by its field's name. */
export interface AskedPart extends DestinationPart {
  /** It was chosen from a list, such as a bank: its code is no secret, and only its words say anything. */
  readonly isChoice?: boolean | undefined;
}

/**
 * What was typed, in the order of the form; values that the form does not ask for come last. A Pix key stands under the name of
 * its own field again.
 *
 * @param values as they travel to the provider
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

/** For the receipt, which is kept: enough to know the destination by, and nobody's whole name. */
export function receiptParts(parts: readonly AskedPart[]): DestinationPart[] {
  return parts.map(({ name, value, isChoice }) => ({ name, value: isChoice ? value : receiptValue(value) }));
}

function receiptValue(value: string): string {
  const masked = maskedValue(value);
  return masked === value.trim() ? masked.replace(/\S+/gu, initialOf) : masked;
}

/** `Anita` is `A•••`; a letter keeps the marks that belong to it. */
const initialOf = (word: string): string => word.replace(/^(\P{M}\p{M}*)\S+$/u, '$1•••');

const GROUP = 4;
/** Shorter values are read at a glance. */
const MIN_GROUPED = 9;
/** From here on a value without blanks is an address, whatever characters it has. */
const MIN_ADDRESS = 20;
/** Digits with blanks between them, and the capitals of an IBAN. */
const number = /^(?=(?:.*\d){9})[\dA-Z ]+$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * A number or an address in groups of four, as it is compared by eye: `TJRa bPrw …`. Nothing is left out: without its blanks it is the
 * value. Names, e-mails and short codes stay as they are.
 */
export function inFours(typed: string): string {
  // A mask writes blanks of its own, and some of them stand far apart.
  const value = number.test(typed) ? typed.replace(/ /g, '') : typed;
  if (value.length < MIN_GROUPED || value.includes('@')) return value;
  if (value.length >= MIN_ADDRESS && !/\s/.test(value) && !uuid.test(value) && !isWord(value)) return fours(value);
  return value.replace(/[\p{L}\p{N}]{9,}|[\p{L}\p{N}]{5,}(?=-)|(?<=-)[\p{L}\p{N}]{5,}/gu, (run) =>
    /\p{N}/u.test(run) ? fours(run) : run,
  );
}

/** A long name is read, not compared letter by letter. An address has digits, or capitals in its middle. */
const isWord = (value: string): boolean => /^[\p{L}\p{M}'’-]+$/u.test(value) && !/\p{Ll}\p{Lu}/u.test(value);

function fours(run: string): string {
  const characters = [...run];
  const groups: string[] = [];
  for (let at = 0; at < characters.length; at += GROUP) groups.push(characters.slice(at, at + GROUP).join(''));
  return groups.join(' ');
}
