/** An amount while the user types it: the shown text, its meaning and its errors (AMT-1 to AMT-6). */
import type { AmountTextError } from '@opencashier/core/amount/parse-amount';
import { typingRules } from '@opencashier/core/amount/type-amount';
import { fieldAfter, initialFieldState, type SubmitField } from '@opencashier/core/fields/form-state';
import type { AmountError } from '@opencashier/core/limits/check-amount';
import type { Limits } from '@opencashier/core/limits/limits';
import { useRef, useState } from 'react';
import type { Draft } from '../session/drafts.ts';
import { useTexts } from '../session/services.tsx';
import {
  type AmountEdit,
  type AmountWriting,
  editAmountText,
  faultKey,
  pasteAmount,
  showAmount,
} from './amount-text.ts';
import type { ShownText, TextEdit } from './live-text.ts';

export interface TypedAmount {
  /** What the field shows, with grouping. */
  readonly shown: string;
  /** The canonical decimal string, or undefined while the field has no digit. */
  readonly canonical: string | undefined;
  readonly isFromChip: boolean;
  /** The method proposed the amount, and the user has neither changed nor chosen it. */
  readonly isProposed: boolean;
  /** What is wrong, whether or not it is time to say so. */
  readonly error: AmountError | undefined;
  /** The error to show now. */
  readonly shownError: AmountError | undefined;
  /** What the submit rule asks (FORM-5). */
  readonly submit: SubmitField;
  /** The user has pressed the button: from now on an error is shown. */
  reveal(): void;
  onEdit(edit: TextEdit): ShownText;
  /** Puts a pasted text in the place of the selection. */
  onPaste(text: string, selection: { readonly start: number; readonly end: number }): ShownText;
  onFocus(): void;
  onBlur(): void;
  choose(chip: string): void;
}

/**
 * @param draft keeps what is typed
 * @param start the amount before the user types
 * @param check finds the error of a canonical amount, which is undefined when nothing was typed
 */
export function useTypedAmount(
  draft: Draft,
  limits: Limits,
  start: string | undefined,
  check: (canonical: string | undefined) => AmountError | undefined,
): TypedAmount {
  const { formatLocale } = useTexts();
  const writing: AmountWriting = {
    rules: typingRules(limits.currency, formatLocale, limits.max),
    locale: formatLocale,
  };
  const [own, setTyped] = useState(draft.amount);
  // The start may come later than the form: the server draws the form without it.
  const typed = own ?? start ?? '';
  const [isFromChip, setIsFromChip] = useState(draft.isFromChip);
  const [state, setState] = useState(() => initialFieldState());
  const [fault, setFault] = useState<AmountTextError>();
  const shown = showAmount(typed, writing);
  const canonical = typed === '' ? undefined : typed.replace(/\.$/, '');
  const error = check(canonical);
  // True while the form moves the focus here to show an error. Such a focus must not hide the error.
  const isLed = useRef(false);
  const set = (next: string, fromChip: boolean) => {
    draft.amount = next;
    draft.isFromChip = fromChip;
    setTyped(next);
    setIsFromChip(fromChip);
  };
  const take = (edit: AmountEdit): ShownText => {
    isLed.current = false;
    setFault(edit.fault);
    setState((now) => fieldAfter(now, { type: 'input', value: edit.typed }));
    if (edit.typed !== typed) set(edit.typed, false);
    return edit;
  };
  return {
    shown,
    canonical,
    isFromChip,
    isProposed: draft.amount === undefined && typed !== '',
    error,
    shownError: fault === undefined ? (state.showsError ? error : undefined) : faultError(fault),
    submit: { isTriggered: state.isTriggered, isValid: error === undefined, isFilled: canonical !== undefined },
    reveal() {
      isLed.current = true;
      setState((now) => fieldAfter(now, { type: 'blur' }));
    },
    onEdit: (edit) => take(editAmountText(edit, writing)),
    onPaste: (text, { start: from, end }) =>
      take(pasteAmount({ previous: shown, start: from, end, inserted: text }, writing)),
    // The shown text must not change on focus. Otherwise the selection by Tab or a long press is lost.
    onFocus() {
      if (!isLed.current) {
        setFault(undefined);
        setState((now) => fieldAfter(now, { type: 'focus' }));
      }
      isLed.current = false;
    },
    onBlur() {
      setState((now) => fieldAfter(now, { type: 'blur' }));
    },
    choose(chip) {
      setFault(undefined);
      set(chip, true);
      setState((now) => fieldAfter(now, { type: 'change', value: chip }));
    },
  };
}

function faultError(fault: AmountTextError): AmountError {
  return { key: faultKey(fault), params: {} };
}
