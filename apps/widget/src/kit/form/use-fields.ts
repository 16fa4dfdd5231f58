import type { FormField, PaymentMethod } from '@opencashier/contract/api';
import { fieldAfter } from '@opencashier/core/fields/form-state';
import type { SkippedRule } from '@opencashier/core/fields/validate-field';
import { useEffect, useRef, useState } from 'react';
import { skippedRule } from '../amount/use-amount.ts';
import { draftOf } from '../session/drafts.ts';
import { useServices, useSession, useTexts } from '../session/services.tsx';
import { useFieldCode } from './field-code.ts';
import type { FieldCheck, FieldDraft, FieldMarks, Fields, Touch } from './field-state.ts';

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
  const code = useFieldCode(fields.length > 0);
  const services = useServices();
  const texts = useTexts();
  const { currency } = useSession();
  const draft = useFieldDraft(fields, draftName, code?.startOf);
  const marks = useFieldMarks();
  const { states, skipped, values } =
    code?.readFields({ fields, method, draft, marks, currency, texts, check }) ?? noFields;
  useSkippedReport(services.post, method.name, skipped);
  return {
    method: method.name,
    states,
    isValid: states.every(({ error }) => error === undefined),
    values,
    reveal: () => marks.reveal(states.map(({ field }) => field)),
    refuse(names, words) {
      const shown = states.map(({ field }) => field).filter(({ name }) => names.includes(name));
      marks.refuse(names, words ?? texts.translate('field.refused'), words !== undefined);
      marks.reveal(shown);
      return shown.length > 0;
    },
  };
}

const noFields = { states: [], skipped: [], values: {} };

function useFieldMarks(): FieldMarks {
  const [touches, setTouches] = useState<Readonly<Record<string, Touch>>>({});
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const isLed = useRef(false);
  const isOfAll = useRef(false);
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
      if (isOfAll.current) setRefused(new Map());
      else setRefused((all) => (all.has(field.name) ? withWords(all, field.name, undefined) : all));
    },
    focus(field) {
      if (!isLed.current) {
        touch(field, 'focus');
        setFault(field, undefined);
      }
      isLed.current = false;
    },
    blur: (field) => touch(field, 'blur'),
    refuse(names, words, ofAll) {
      isOfAll.current = ofAll;
      setRefused(new Map(names.map((name) => [name, words])));
    },
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

/** The values of the fields: what was typed before, else their start values. */
function useFieldDraft(
  fields: readonly FormField[],
  name: string,
  startOf: NonNullable<ReturnType<typeof useFieldCode>>['startOf'] | undefined,
): FieldDraft {
  const services = useServices();
  const { country, currency } = useSession();
  const draft = draftOf(services, name, currency);
  const [, setVersion] = useState(0);
  const values: Record<string, string> = {};
  const prefixes: Record<string, string> = {};
  for (const field of fields) {
    if (startOf === undefined) break;
    const kept = draft.fields[field.name];
    const keptPrefix = draft.fields[prefixKey(field.name)];
    const start = startOf(field, country, keptPrefix);
    values[field.name] = kept ?? start.text;
    prefixes[field.name] = kept === undefined ? start.prefix : (keptPrefix ?? start.prefix);
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
