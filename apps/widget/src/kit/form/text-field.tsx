import type { KeyboardEvent } from 'react';
import type { FieldControl } from '../../ui/inputs/field.tsx';
import { TextInput, WrappingInput } from '../../ui/inputs/text-input.tsx';
import { useLiveText } from '../amount/live-text.ts';
import { useTexts } from '../session/services.tsx';
import { isAlwaysLtr, keyboardOf } from './field-kind.ts';
import type { FieldState } from './field-state.ts';
import { placeholderOf } from './form-values.ts';

/** Properties of every control of the form. */
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

/** A line of text, with its mask if it has one (FORM-4, FORM-8). */
export function TextField({
  state,
  control,
  enter,
  wraps = false,
}: {
  readonly state: FieldState;
  readonly control: NamedControl;
  readonly enter: EnterKey;
  /** The value is too long for a line of a phone, and the user must be able to check every character. */
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
        // An address has no line breaks, so Enter sends the form, as in a one-line field.
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
    />
  );
}
