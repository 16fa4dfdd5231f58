/** Reads the fields of a form: their texts, their errors and what is sent (FORM-1 to FORM-8). `use-fields.ts` keeps their state. */
import type { FormField, PaymentMethod } from '@opencashier/contract/api';
import { typingRules } from '@opencashier/core/amount/type-amount';
import { bankOf } from '@opencashier/core/fields/account-number';
import { PIX_KEY_TYPE_FIELD, pixFieldValues, visiblePixFields } from '@opencashier/core/fields/pix-fields';
import { normaliseFieldValue, type SkippedRule, validateField } from '@opencashier/core/fields/validate-field';
import { type AmountWriting, editAmountText, faultKey, showAmount } from '../amount/amount-text.ts';
import type { Texts } from '../session/services.tsx';
import { binOf, kindOf, passesMask } from './field-kind.ts';
import type { FieldCheck, FieldDraft, FieldMarks, FieldState } from './field-state.ts';
import { editField, lostWords, maskWords } from './field-text.ts';
import { phoneCountriesOf, ruleText, startValue, visibleFields } from './form-values.ts';
import { editPhone, splitPhone } from './phone-text.ts';

interface FormReading {
  readonly fields: readonly FormField[];
  readonly method: Pick<PaymentMethod, 'name' | 'checkLuhn' | 'flags'>;
  readonly draft: FieldDraft;
  readonly marks: FieldMarks;
  readonly currency: string;
  readonly texts: Texts;
  readonly check: FieldCheck | undefined;
}

interface ReadFields {
  /** The fields that the user sees, in order. */
  readonly states: readonly FieldState[];
  /** The rules that could not be used. */
  readonly skipped: readonly SkippedRule[];
  /** What the create call sends. */
  readonly values: Readonly<Record<string, string>>;
}

/** Reads every field of a form as it is now. */
export function readFields({ fields, method, draft, marks, currency, texts, check }: FormReading): ReadFields {
  const writing: AmountWriting = { rules: typingRules(currency, texts.formatLocale), locale: texts.formatLocale };
  const bank = bankOf(fields, draft.values);
  const skipped: SkippedRule[] = [];
  const { name: methodName, checkLuhn } = method;
  const visible = visibleFields(visiblePixFields(fields, draft.values[PIX_KEY_TYPE_FIELD]));
  const states = visible.map((field): FieldState => {
    const value = sentValue(field, draft);
    const prefix = draft.prefixes[field.name] ?? '';
    const verdict = validateField({ field, value, method: methodName, prefix, checkLuhn, bank });
    skipped.push(...verdict.skipped);
    const error =
      marks.refused.get(field.name) ??
      errorOf(field, value, verdict.error, methodName, texts) ??
      (value === '' ? undefined : check?.(field, value, draft.values));
    const { isTriggered, showsError } = marks.touchOf(field);
    const typed = draft.values[field.name] ?? '';
    const hasBank = method.flags.bankLookup === true && kindOf(field) === 'card' && binOf(value) !== undefined;
    return {
      field,
      shown: field.type === 'amount' ? showAmount(typed, writing) : typed,
      prefix,
      error,
      shownError: marks.faults.get(field.name) ?? (showsError ? error : undefined),
      submit: { isTriggered, isValid: error === undefined, isFilled: value !== '' },
      bankOf: hasBank ? value : undefined,
      ...fieldEvents(field, draft, marks, writing, texts),
    };
  });
  const shownNames = new Set(states.map(({ field }) => field.name));
  const values = fields
    .filter(({ name, props }) => shownNames.has(name) || props?.isHidden === true)
    .map((field) => [field.name, sentValue(field, draft)] as const)
    .filter(([, value]) => value !== '');
  return { states, skipped, values: pixFieldValues(fields, Object.fromEntries(values)) };
}

/** What a field has before anything is typed; for a phone, the digits behind the prefix. */
export function startOf(
  field: FormField,
  country: string,
  keptPrefix: string | undefined,
): { readonly text: string; readonly prefix: string } {
  const prefix = keptPrefix ?? phoneCountriesOf(field, country)[0]?.prefix ?? '';
  if (field.type !== 'phone_with_prefix') return { text: startValue(field), prefix };
  const { body, prefix: found } = splitPhone(startValue(field), prefix, field.countries ?? []);
  return { text: body, prefix: found };
}

/** A value as the create call sends it. */
function sentValue(field: FormField, { values, prefixes }: Pick<FieldDraft, 'values' | 'prefixes'>): string {
  const value = values[field.name] ?? '';
  if (field.type === 'amount') return value.replace(/\.$/, '');
  if (field.type === 'phone_with_prefix') return value === '' ? '' : (prefixes[field.name] ?? '') + value;
  return normaliseFieldValue(field, value);
}

/** The message about a value that breaks the field's mask, rules or expression. The mask comes first. */
function errorOf(
  field: FormField,
  value: string,
  broken: ReturnType<typeof validateField>['error'],
  method: string,
  texts: Texts,
): string | undefined {
  const isMasked = value === '' || passesMask(field, value);
  const ofMask = isMasked ? undefined : maskWords(field, texts);
  if (ofMask !== undefined) return ofMask;
  if (broken === undefined) return isMasked ? undefined : ruleText(field.regex_error_key, method, texts);
  return value === '' ? texts.translate('field.required') : ruleText(broken.message, method, texts);
}

type FieldEvents = Pick<FieldState, 'onEdit' | 'onChoose' | 'onPrefix' | 'onFocus' | 'onBlur'>;

function fieldEvents(
  field: FormField,
  draft: FieldDraft,
  marks: FieldMarks,
  writing: AmountWriting,
  texts: Texts,
): FieldEvents {
  const prefix = draft.prefixes[field.name] ?? '';
  const set = (value: string, nextPrefix?: string, fault?: string): void => {
    draft.write(field.name, value, nextPrefix);
    marks.change(field, fault);
  };
  return {
    onEdit(edit) {
      if (field.type === 'amount') {
        const next = editAmountText(edit, writing);
        set(next.typed, undefined, next.fault && texts.translate(faultKey(next.fault)));
        return next;
      }
      if (field.type === 'phone_with_prefix') {
        const next = editPhone(edit, prefix, field.countries ?? []);
        set(next.text, next.prefix, next.lost === '' ? undefined : lostWords(next.lost, texts));
        return next;
      }
      const next = editField(field, edit);
      set(next.text, undefined, next.lost === '' ? undefined : lostWords(next.lost, texts));
      return next;
    },
    onChoose: (next) => set(next),
    onPrefix: (next) => set(draft.values[field.name] ?? '', next),
    onFocus: () => marks.focus(field),
    onBlur: () => marks.blur(field),
  };
}
