/** Applies an edit to a field's text. No typed character is lost without a message (FORM-8). */
import type { FormField } from '@opencashier/contract/api';
import { formatDecimal } from '@opencashier/core/money/format';
import { changedPart, formatEdit, type ShownText, type TextEdit } from '../amount/live-text.ts';
import { listText } from '../format/list-text.ts';
import type { Texts } from '../session/services.tsx';
import { formatOf, maskOf, writeField } from './field-kind.ts';

export interface FieldEdit extends ShownText {
  /** Characters that do not fit; empty when all fit. If some do not fit, the field shows its former text. */
  readonly lost: string;
}

/**
 * Reads an edit of a field. Text that does not fit is refused as a whole, because a part of it would be another value. After a
 * deletion the rest stays, even if it does not fit for a moment. Otherwise the rest would be lost.
 */
export function editField(field: FormField, edit: TextEdit): FieldEdit {
  const { lost } = writeField(field, edit.text);
  if (lost === '') return { ...formatEdit(edit, formatOf(field)), lost };
  const isWhole = writeField(field, edit.previous).lost === '';
  if (edit.deletes === undefined && isWhole) return { text: edit.previous, caret: changedPart(edit).end, lost };
  return { text: edit.text, caret: edit.caret, lost: '' };
}

/** A pasted text may be long; its beginning is enough to recognise it. */
const LONGEST_QUOTE = 20;

/** The message about text that does not fit into a field. */
export function lostWords(lost: string, texts: Texts): string {
  const chars = [...lost];
  const text = chars.length > LONGEST_QUOTE ? `${chars.slice(0, LONGEST_QUOTE).join('')}…` : lost;
  return texts.translate('field.lost', { text });
}

/** The message about a text that the mask does not allow. Undefined for masks whose fields have their own message. */
export function maskWords(field: FormField, texts: Texts): string | undefined {
  const mask = maskOf(field);
  if (mask?.kind === 'enum') {
    const list = listText(mask.values, texts, { type: 'disjunction' });
    return texts.translate('field.oneOf', { list });
  }
  if (mask?.kind !== 'range') return undefined;
  const [min, max] = [mask.min, mask.max].map((bound) => formatDecimal(String(bound), texts.formatLocale, 0, 0));
  return texts.translate('field.range', { min: min ?? '', max: max ?? '' });
}
