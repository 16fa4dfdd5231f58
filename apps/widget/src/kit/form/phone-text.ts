/** A phone number without its prefix (FORM-3). The prefix is separate, so typing cannot change it. */
import type { PhoneCountry } from '@opencashier/contract/api';
import { withAsciiDigits } from '@opencashier/core/amount/digits';
import { countryOfPhone, phoneBody, typePhone } from '@opencashier/core/fields/phone';
import {
  changedPart,
  formatEdit,
  growingFormat,
  lettersLost,
  type ShownText,
  type TextEdit,
} from '../amount/live-text.ts';

export interface PhoneEdit extends ShownText {
  readonly prefix: string;
  /** Letters, and more digits than a number has. If there are any, the field shows its former text. */
  readonly lost: string;
}

/**
 * Reads an edit of the number. Only digits are allowed; a typed plus is blocked. A pasted or filled-in number with a prefix
 * chooses the country, and its prefix is not repeated.
 */
export function editPhone(edit: TextEdit, prefix: string, countries: readonly PhoneCountry[]): PhoneEdit {
  const { inserted, start } = changedPart(edit);
  if (inserted.length > 1 && inserted.includes('+')) {
    const whole = splitPhone(inserted, prefix, countries);
    const lost = lostIn(inserted, whole.prefix + whole.body);
    if (lost !== '') return { text: edit.previous, caret: edit.previous.length, prefix, lost };
    return { text: whole.body, caret: whole.body.length, prefix: whole.prefix, lost };
  }
  const body = (text: string) => bodyOf(typePhone(prefix + text, prefix, prefix), prefix);
  const lost = lostIn(edit.text, body(edit.text));
  if (lost !== '' && edit.deletes === undefined) return { text: edit.previous, caret: start, prefix, lost };
  return { ...formatEdit(edit, growingFormat(body)), prefix, lost: '' };
}

const lostIn = (typed: string, kept: string) => lettersLost(withAsciiDigits(typed), kept);

/** Splits a number with a prefix, such as one that the catalogue fills in. */
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
