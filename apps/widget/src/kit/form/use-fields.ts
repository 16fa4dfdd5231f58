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
import { type Texts, useServices, useSession, useTexts } from '../session/services.tsx';
import { binOf, kindOf, passesMask } from './field-kind.ts';
import { editField, lostWords, maskWords } from './field-text.ts';
import { phoneCountriesOf, ruleText, startValue, visibleFields } from './form-values.ts';
import { editPhone, splitPhone } from './phone-text.ts';

export interface FieldState {
  readonly field: FormField;
  /** What the field shows; for a phone, the digits behind the prefix. */
  readonly shown: string;
  /** Phone only: the chosen prefix, with its plus. */
  readonly prefix: string;
  readonly error: string | undefined;
  /** The error to show now (FORM-5): after blur, change or input, until the field has the focus again. */
  readonly shownError: string | undefined;
  /** What the submit rule asks (FORM-5). */
  readonly submit: SubmitField;
  /** The card's number, if the method shows the card's bank (FORM-12). */
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
  /** Values for the create call, with hidden fields and phone prefixes. Empty values are left out. */
  readonly values: Readonly<Record<string, string>>;
  /** From now on every error is shown. */
  reveal(): void;
  /**
   * Marks the fields that the server refused, by name. A mark goes as soon as its field is changed. `words` is the server's own
   * text, if it sent one. False when none of the fields is shown.
   */
  refuse(names: readonly string[], words?: string): boolean;
}

/** Finds an error that the field's own rules do not cover, and answers its message. `values` has all values of the form. */
export type FieldCheck = (
  field: FormField,
  value: string,
  values: Readonly<Record<string, string>>,
) => string | undefined;

type Method = Pick<PaymentMethod, 'name' | 'checkLuhn' | 'flags'>;

/**
 * The state of a method's own fields (FORM-1 to FORM-8).
 * @param draftName the name under which typed values are kept; the method's when absent
 * @param check runs for a value that passes the field's own rules
 */
export function useFields(
  fields: readonly FormField[],
  method: Method,
  draftName: string = method.name,
  check?: FieldCheck,
): Fields {
  const services = useServices();
  const texts = useTexts();
  const { currency } = useSession();
  const draft = useFieldDraft(fields, draftName);
  const marks = useFieldMarks();
  const writing: AmountWriting = { rules: typingRules(currency, texts.formatLocale), locale: texts.formatLocale };
  const bank = bankOf(fields, draft.values);
  const skipped: SkippedRule[] = [];
  const visible = visibleFields(visiblePixFields(fields, draft.values[PIX_KEY_TYPE_FIELD]));
  const states = visible.map((field): FieldState => {
    const value = sentValue(field, draft);
    const prefix = draft.prefixes[field.name] ?? '';
    const { name: methodName, checkLuhn } = method;
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
  useSkippedReport(services.post, method.name, skipped);
  const shownNames = new Set(states.map(({ field }) => field.name));
  const values = fields
    .filter(({ name, props }) => shownNames.has(name) || props?.isHidden === true)
    .map((field) => [field.name, sentValue(field, draft)] as const)
    .filter(([, value]) => value !== '');
  return {
    method: method.name,
    states,
    isValid: states.every(({ error }) => error === undefined),
    values: pixFieldValues(fields, Object.fromEntries(values)),
    reveal: () => marks.reveal(visible),
    refuse(names, words = texts.translate('field.refused')) {
      const shown = visible.filter(({ name }) => names.includes(name));
      marks.refuse(names, words);
      marks.reveal(shown);
      return shown.length > 0;
    },
  };
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

interface Touch {
  readonly isTriggered: boolean;
  readonly showsError: boolean;
}

/** The state of each field except its value. */
interface FieldMarks {
  /** The server's message about a field, until the field is changed. */
  readonly refused: ReadonlyMap<string, string>;
  /** The message about the last edit of a field, if the edit was refused. */
  readonly faults: ReadonlyMap<string, string>;
  touchOf(field: FormField): Touch;
  /** @param fault the message about a refused edit */
  change(field: FormField, fault: string | undefined): void;
  focus(field: FormField): void;
  blur(field: FormField): void;
  refuse(names: readonly string[], words: string): void;
  /** Shows the errors of the fields. The form, not the user, sets the next focus, so that focus hides no error. */
  reveal(fields: readonly FormField[]): void;
}

function useFieldMarks(): FieldMarks {
  const [touches, setTouches] = useState<Readonly<Record<string, Touch>>>({});
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const isLed = useRef(false);
  const touchIn = (all: Readonly<Record<string, Touch>>, { name, props }: FormField): Touch =>
    all[name] ?? { isTriggered: props?.isTriggered === true, showsError: false };
  const touch = (field: FormField, action: 'focus' | 'blur' | 'change'): void =>
    setTouches((all) => {
      const now = { value: '', ...touchIn(all, field) };
      return {
        ...all,
        [field.name]: fieldAfter(now, action === 'change' ? { type: action, value: '' } : { type: action }),
      };
    });
  const setFault = ({ name }: FormField, words: string | undefined): void =>
    setFaults((all) => (words === undefined && !all.has(name) ? all : withWords(all, name, words)));
  return {
    refused,
    faults,
    touchOf: (field) => touchIn(touches, field),
    change(field, fault) {
      setFault(field, fault);
      isLed.current = false;
      touch(field, 'change');
      setRefused((all) => (all.has(field.name) ? withWords(all, field.name, undefined) : all));
    },
    focus(field) {
      if (!isLed.current) {
        touch(field, 'focus');
        setFault(field, undefined);
      }
      isLed.current = false;
    },
    blur: (field) => touch(field, 'blur'),
    refuse: (names, words) => setRefused(new Map(names.map((name) => [name, words]))),
    reveal(fields) {
      isLed.current = true;
      for (const field of fields) touch(field, 'blur');
    },
  };
}

function withWords(all: ReadonlyMap<string, string>, name: string, words: string | undefined): Map<string, string> {
  const others = [...all].filter(([other]) => other !== name);
  return new Map(words === undefined ? others : [...others, [name, words]]);
}

interface FieldDraft {
  readonly values: Readonly<Record<string, string>>;
  /** The chosen prefix of each phone. */
  readonly prefixes: Readonly<Record<string, string>>;
  write(name: string, value: string, prefix: string | undefined): void;
}

/** The values of the fields: what was typed before, else their start values. */
function useFieldDraft(fields: readonly FormField[], name: string): FieldDraft {
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

/** The space keeps the key apart from every field's name. */
const prefixKey = (name: string) => `${name} prefix`;

/** Reports each unusable rule once to the host (FORM-2). The server checks the value again anyway. */
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
