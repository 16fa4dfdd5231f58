import type { KeyboardEvent } from 'react';
import type { FieldControl } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { placeholderOf } from '../form-values.ts';
import { useLiveText } from '../live-text.ts';
import { useTexts } from '../services.tsx';
import type { FieldState } from '../use-fields.ts';
import { isAlwaysLtr, keyboardOf } from './field-kind.ts';

/** What every control of the form carries. */
export interface NamedControl extends FieldControl {
  readonly name: string;
  readonly 'data-form-field': string;
  readonly disabled: boolean;
}

/** What the Enter key does, and what a phone's keyboard calls it. */
export interface EnterKey {
  readonly enterKeyHint: 'go' | 'next';
  onKeyDown(event: KeyboardEvent<HTMLInputElement>): void;
}

/** A line of text, under its mask where it has one (FORM-4, FORM-8). */
export function TextField({
  state,
  control,
  enter,
}: {
  readonly state: FieldState;
  readonly control: NamedControl;
  readonly enter: EnterKey;
}) {
  const texts = useTexts();
  const live = useLiveText(state.shown, state.onEdit);
  return (
    <TextInput
      {...control}
      {...enter}
      {...keyboardOf(state.field)}
      {...live}
      dir={isAlwaysLtr(state.field) ? 'ltr' : 'auto'}
      placeholder={placeholderOf(state.field, texts)}
      onFocus={state.onFocus}
      onBlur={state.onBlur}
    />
  );
}
