import type { KeyboardEvent } from 'react';
import type { FieldControl } from '../../ui/inputs/field.tsx';
import { TextInput, WrappingInput } from '../../ui/inputs/text-input.tsx';
import { useLiveText } from '../amount/live-text.ts';
import { useTexts } from '../session/services.tsx';
import { isAlwaysLtr, keyboardOf } from './field-kind.ts';
import { placeholderOf } from './form-values.ts';
import type { FieldState } from './use-fields.ts';

/** What every control of the form carries. */
export interface NamedControl extends FieldControl {
  readonly name: string;
  readonly 'data-form-field': string;
  readonly disabled: boolean;
}

/** What the Enter key does, and what a phone's keyboard calls it. */
export interface EnterKey {
  readonly enterKeyHint: 'go' | 'next';
  onKeyDown(event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>): void;
}

/** A line of text, under its mask where it has one (FORM-4, FORM-8). */
export function TextField({
  state,
  control,
  enter,
  wraps = false,
}: {
  readonly state: FieldState;
  readonly control: NamedControl;
  readonly enter: EnterKey;
  /** It is too long for a line of a phone, and every character of it counts. */
  readonly wraps?: boolean;
}) {
  const texts = useTexts();
  const live = useLiveText(state.shown, state.onEdit);
  const shared = {
    ...control,
    ...keyboardOf(state.field),
    ...live,
    enterKeyHint: enter.enterKeyHint,
    dir: isAlwaysLtr(state.field) ? 'ltr' : 'auto',
    placeholder: placeholderOf(state.field, texts),
    onFocus: state.onFocus,
    onBlur: state.onBlur,
  };
  if (!wraps) return <TextInput {...shared} onKeyDown={enter.onKeyDown} />;
  return (
    <WrappingInput
      {...shared}
      onKeyDown={(event) => {
        enter.onKeyDown(event);
        if (event.key !== 'Enter' || event.defaultPrevented || event.nativeEvent.isComposing) return;
        // An address has no lines: the key sends the form, as it does from one line.
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
    />
  );
}
