import type { FormField } from '@opencashier/contract/api';
import { useRef, useState } from 'react';
import { draftOf } from './drafts.ts';
import { fieldError, phoneCountriesOf, startValue, visibleFields } from './form-values.ts';
import { useServices, useSession, useTexts } from './services.tsx';

export interface FieldState {
  readonly field: FormField;
  readonly value: string;
  /** Phone only: the chosen prefix, with its plus. */
  readonly prefix: string;
  readonly error: string | undefined;
  /** The error to show now: after the field was left, or after the person wanted to go on (FORM-5). */
  readonly shownError: string | undefined;
  onChange(value: string): void;
  onPrefix(prefix: string): void;
  onFocus(): void;
  onBlur(): void;
}

export interface Fields {
  readonly states: readonly FieldState[];
  readonly isValid: boolean;
  /** Values for the create call, hidden fields and phone prefixes included. */
  readonly values: Readonly<Record<string, string>>;
  /** From now on every error is shown. */
  reveal(): void;
  /** The server's word about fields, by name; gone as soon as the field is changed. */
  refuse(names: readonly string[]): void;
}

/** The state of a method's own fields. What was typed is kept in the method's draft. */
export function useFields(fields: readonly FormField[], method: string): Fields {
  const services = useServices();
  const texts = useTexts();
  const { country, currency } = useSession();
  const draft = draftOf(services, method, currency);
  const [, setVersion] = useState(0);
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  // Leading the person to a mistake gives its field the focus, and must not take the words about it away.
  const isLed = useRef(false);
  const valueIn = (field: FormField) => draft.fields[field.name] ?? startValue(field);
  const prefixOf = (field: FormField) =>
    draft.fields[`${field.name} prefix`] ?? phoneCountriesOf(field, country)[0]?.prefix ?? '';
  const write = (name: string, value: string) => {
    draft.fields[name] = value;
    setVersion((version) => version + 1);
  };
  const states = visibleFields(fields).map((field): FieldState => {
    const { name } = field;
    const value = valueIn(field);
    const error = refused.has(name) ? texts.translate('field.refused') : fieldError(field, value, method, texts);
    return {
      field,
      value,
      prefix: prefixOf(field),
      error,
      shownError: shown.has(name) ? error : undefined,
      onChange(next) {
        write(name, field.type === 'text_uppercase' ? next.toUpperCase() : next);
        setRefused((names) => without(names, name));
      },
      onPrefix: (prefix) => write(`${name} prefix`, prefix),
      onFocus() {
        if (!isLed.current) setShown((names) => without(names, name));
        isLed.current = false;
      },
      onBlur: () => {
        if (value !== '') setShown((names) => new Set([...names, name]));
      },
    };
  });
  return {
    states,
    isValid: states.every(({ error }) => error === undefined),
    values: Object.fromEntries(
      fields.map((field) => {
        const value = valueIn(field).trim();
        return [field.name, field.type === 'phone_with_prefix' && value !== '' ? `${prefixOf(field)}${value}` : value];
      }),
    ),
    reveal() {
      isLed.current = true;
      setShown(new Set(states.map(({ field }) => field.name)));
    },
    refuse(names) {
      setRefused(new Set(names));
      setShown((known) => new Set([...known, ...names]));
    },
  };
}

function without(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  return names.has(name) ? new Set([...names].filter((known) => known !== name)) : names;
}
