/** A phone's number beside its prefix (FORM-3): the prefix stands apart, so nothing typed can reach it. */
import type { PhoneCountry } from '@opencashier/contract/api';
import { countryOfPhone, phoneBody, typePhone } from '@opencashier/core/fields/phone';
import { changedPart, formatEdit, growingFormat, type ShownText, type TextEdit } from '../live-text.ts';

export interface PhoneEdit extends ShownText {
  readonly prefix: string;
}

/**
 * Reads an edit of the number: digits alone, a plus is blocked. A whole number that was pasted or filled in with a prefix of
 * its own chooses the country, and is not written twice.
 */
export function editPhone(edit: TextEdit, prefix: string, countries: readonly PhoneCountry[]): PhoneEdit {
  const { inserted } = changedPart(edit);
  if (inserted.length > 1 && inserted.includes('+')) {
    const whole = splitPhone(inserted, prefix, countries);
    return { text: whole.body, caret: whole.body.length, prefix: whole.prefix };
  }
  const body = (text: string) => bodyOf(typePhone(prefix + text, prefix, prefix), prefix);
  return { ...formatEdit(edit, growingFormat(body)), prefix };
}

/** A number with a prefix, such as one that the catalogue fills in, taken apart. */
export function splitPhone(
  text: string,
  prefix: string,
  countries: readonly PhoneCountry[],
): { readonly prefix: string; readonly body: string } {
  const compact = `+${phoneBody(text, '')}`;
  const found = text.includes('+') ? (countryOfPhone(compact, countries)?.prefix ?? prefix) : prefix;
  return { prefix: found, body: bodyOf(typePhone(text.includes('+') ? compact : text, found, found), found) };
}

const bodyOf = (shown: string, prefix: string) => shown.slice(prefix.length);
