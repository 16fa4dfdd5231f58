import type { FormField, PaymentMethod } from '@opencashier/contract/api';
import { typingRules } from '@opencashier/core/amount/type-amount';
import { bankOf } from '@opencashier/core/fields/account-number';
import { fieldAfter, type SubmitField } from '@opencashier/core/fields/form-state';
import { PIX_KEY_TYPE_FIELD, pixFieldValues, visiblePixFields } from '@opencashier/core/fields/pix-fields';
import { normaliseFieldValue, type SkippedRule, validateField } from '@opencashier/core/fields/validate-field';
import { useEffect, useRef, useState } from 'react';
import { type AmountWriting, editAmountText, faultKey, showAmount } from '../amount/amount-text.ts';
import type { ShownText, TextEdit } from '../amount/live-text.ts';
import { skippedRule } from '../amount/use-amount.ts';
import { draftOf } from '../session/drafts.ts';
import { useServices, useSession, useTexts } from '../session/services.tsx';
import { binOf, kindOf, passesMask } from './field-kind.ts';
import { editField, lostWords, maskWords } from './field-text.ts';
import { phoneCountriesOf, ruleText, startValue, visibleFields } from './form-values.ts';
import { editPhone, splitPhone } from './phone-text.ts';

export interface FieldState {
  readonly field: FormField;
  /** What the field shows; of a phone, the digits behind its prefix. */
  readonly shown: string;
  /** Phone only: the chosen prefix, with its plus. */
  readonly prefix: string;
  readonly error: string | undefined;
  /** The error to show now (FORM-5): after blur, change or input, until the field has the focus again. */
  readonly shownError: string | undefined;
  /** What the submit rule asks (FORM-5). */
  readonly submit: SubmitField;
  /** The card's number, where the method wants its bank named (FORM-12). */
  readonly bankOf: string | undefined;
  onEdit(edit: TextEdit): ShownText;
  onChoose(value: string): void;
  onPrefix(prefix: string): void;
  onFocus(): void;
  onBlur(): void;
}

export interface Fields {
  readonly method: string;
  readonly states: readonly FieldState[];
  readonly isValid: boolean;
  /** Values for the create call, hidden fields and phone prefixes included; what is empty is left out. */
  readonly values: Readonly<Record<string, string>>;
  /** From now on every error is shown. */
  reveal(): void;
  /**
   * The server's word about fields, by name; gone as soon as the field is changed. `words` where it said more. False when none of
   * them is shown.
   */
  refuse(names: readonly string[], words?: string): boolean;
}

/** What is wrong with a value beyond the rules that the field itself brings, in words; `values` are all of the form's. */
export type FieldCheck = (
  field: FormField,
  value: string,
  values: Readonly<Record<string, string>>,
) => string | undefined;

interface Touch {
  readonly isTriggered: boolean;
  readonly showsError: boolean;
}

const untouched: Touch = { isTriggered: false, showsError: false };

/**
 * The state of a method's own fields (FORM-1 to FORM-8).
 * @param draft under which name what was typed is kept; the method's when absent
 * @param check is asked about what is filled in and passes the field's own rules
 */
export function useFields(
  fields: readonly FormField[],
  method: Pick<PaymentMethod, 'name' | 'checkLuhn' | 'flags'>,
  draft: string = method.name,
  check?: FieldCheck,
): Fields {
  const services = useServices();
  const texts = useTexts();
  const { currency } = useSession();
  const { values: typed, prefixes, write } = useFieldDraft(fields, draft);
  const [touches, setTouches] = useState<Readonly<Record<string, Touch>>>({});
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  /** Words about the last edit of a field, which was not taken over. */
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  // Leading the person to a mistake gives its field the focus, and must not take the words about it away.
  const isLed = useRef(false);
  const writing: AmountWriting = { rules: typingRules(currency, texts.formatLocale), locale: texts.formatLocale };
  const touchOf = ({ name, props }: FormField): Touch =>
    touches[name] ?? { ...untouched, isTriggered: props?.isTriggered === true };
  const touch = (field: FormField, action: 'focus' | 'blur' | 'change') =>
    setTouches((all) => {
      const now = { value: '', ...(all[field.name] ?? touchOf(field)) };
      const next = fieldAfter(now, action === 'change' ? { type: action, value: '' } : { type: action });
      return { ...all, [field.name]: next };
    });
  const setFault = ({ name }: FormField, words: string | undefined) =>
    setFaults((all) => {
      if (words === undefined && !all.has(name)) return all;
      const others = [...all].filter(([other]) => other !== name);
      return new Map(words === undefined ? others : [...others, [name, words]]);
    });
  const set = (field: FormField, value: string, prefix?: string, fault?: string) => {
    write(field.name, value, prefix);
    setFault(field, fault);
    isLed.current = false;
    touch(field, 'change');
    setRefused((all) => (all.has(field.name) ? new Map([...all].filter(([name]) => name !== field.name)) : all));
  };
  const valueIn = (field: FormField) => typed[field.name] ?? '';
  const prefixOf = (field: FormField) => prefixes[field.name] ?? '';
  /** As the create call carries it. */
  const sent = (field: FormField): string => {
    const value = valueIn(field);
    if (field.type === 'amount') return value.replace(/\.$/, '');
    if (field.type === 'phone_with_prefix') return value === '' ? '' : prefixOf(field) + value;
    return normaliseFieldValue(field, value);
  };
  const skipped: SkippedRule[] = [];
  const visible = visibleFields(visiblePixFields(fields, typed[PIX_KEY_TYPE_FIELD]));
  const bank = bankOf(fields, typed);
  const states = visible.map((field): FieldState => {
    const { name } = field;
    const value = sent(field);
    const verdict = validateField({
      field,
      value,
      method: method.name,
      prefix: prefixOf(field),
      checkLuhn: method.checkLuhn,
      bank,
    });
    skipped.push(...verdict.skipped);
    const errorOf = (): string | undefined => {
      const word = refused.get(name);
      if (word !== undefined) return word;
      const ofMask = value === '' || passesMask(field, value) ? undefined : maskWords(field, texts);
      if (ofMask !== undefined) return ofMask;
      if (verdict.error !== undefined) {
        return value === '' ? texts.translate('field.required') : ruleText(verdict.error.message, method.name, texts);
      }
      if (value === '') return undefined;
      if (passesMask(field, value)) return check?.(field, value, typed);
      return ruleText(field.regex_error_key, method.name, texts);
    };
    const error = errorOf();
    const { isTriggered, showsError } = touchOf(field);
    return {
      field,
      shown: field.type === 'amount' ? showAmount(valueIn(field), writing) : valueIn(field),
      prefix: prefixOf(field),
      error,
      shownError: faults.get(name) ?? (showsError ? error : undefined),
      submit: { isTriggered, isValid: error === undefined, isFilled: value !== '' },
      bankOf:
        method.flags.bankLookup === true && kindOf(field) === 'card' && binOf(value) !== undefined ? value : undefined,
      onEdit(edit) {
        if (field.type === 'amount') {
          const next = editAmountText(edit, writing);
          set(field, next.typed, undefined, next.fault && texts.translate(faultKey(next.fault)));
          return next;
        }
        if (field.type === 'phone_with_prefix') {
          const next = editPhone(edit, prefixOf(field), field.countries ?? []);
          set(field, next.text, next.prefix, next.lost === '' ? undefined : lostWords(next.lost, texts));
          return next;
        }
        const next = editField(field, edit);
        set(field, next.text, undefined, next.lost === '' ? undefined : lostWords(next.lost, texts));
        return next;
      },
      onChoose: (next) => set(field, next),
      onPrefix: (prefix) => set(field, valueIn(field), prefix),
      onFocus() {
        if (!isLed.current) {
          touch(field, 'focus');
          setFault(field, undefined);
        }
        isLed.current = false;
      },
      onBlur: () => touch(field, 'blur'),
    };
  });
  useSkippedReport(services.post, method.name, skipped);
  const shownNames = new Set(states.map(({ field }) => field.name));
  const values = fields
    .filter(({ name, props }) => shownNames.has(name) || props?.isHidden === true)
    .map((field) => [field.name, sent(field)] as const)
    .filter(([, value]) => value !== '');
  const showAll = () => {
    for (const { field } of states) touch(field, 'blur');
  };
  return {
    method: method.name,
    states,
    isValid: states.every(({ error }) => error === undefined),
    values: pixFieldValues(fields, Object.fromEntries(values)),
    reveal() {
      isLed.current = true;
      showAll();
    },
    refuse(names, words = texts.translate('field.refused')) {
      isLed.current = true;
      setRefused(new Map(names.map((name) => [name, words])));
      const shown = states.filter(({ field }) => names.includes(field.name));
      for (const { field } of shown) touch(field, 'blur');
      return shown.length > 0;
    },
  };
}

/** What stands in the fields: typed before, or what they start with. */
function useFieldDraft(fields: readonly FormField[], name: string) {
  const services = useServices();
  const { country, currency } = useSession();
  const draft = draftOf(services, name, currency);
  const [, setVersion] = useState(0);
  const values: Record<string, string> = {};
  const prefixes: Record<string, string> = {};
  for (const field of fields) {
    const kept = draft.fields[field.name];
    const prefix = draft.fields[prefixKey(field.name)] ?? phoneCountriesOf(field, country)[0]?.prefix ?? '';
    const isFreshPhone = kept === undefined && field.type === 'phone_with_prefix';
    const start = isFreshPhone ? splitPhone(startValue(field), prefix, field.countries ?? []) : undefined;
    values[field.name] = kept ?? start?.body ?? startValue(field);
    prefixes[field.name] = start?.prefix ?? prefix;
  }
  return {
    values,
    prefixes,
    write(name: string, value: string, prefix: string | undefined) {
      draft.fields[name] = value;
      if (prefix !== undefined) draft.fields[prefixKey(name)] = prefix;
      setVersion((version) => version + 1);
    },
  };
}

/** A field's name has no space in it. */
const prefixKey = (name: string) => `${name} prefix`;

/** The host hears once of every rule that could not be used (FORM-2); the server checks the value again anyway. */
function useSkippedReport(
  post: (message: ReturnType<typeof skippedRule>) => void,
  method: string,
  skipped: readonly SkippedRule[],
): void {
  const told = useRef(new Set<string>());
  useEffect(() => {
    for (const { field, fault } of skipped) {
      const key = `${field} ${fault}`;
      if (told.current.has(key)) continue;
      told.current.add(key);
      post(skippedRule(method, field, fault));
    }
  });
}
