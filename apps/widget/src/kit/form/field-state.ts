/** The state of a form's fields: what the fields show, and what the form asks of them. */
import type { FormField } from '@opencashier/contract/api';
import type { SubmitField } from '@opencashier/core/fields/form-state';
import type { ShownText, TextEdit } from '../amount/live-text.ts';

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
   * text, if it sent one. It may be about several values, such as a name that does not belong to the IBAN, so any change ends it.
   * False when none of the fields is shown.
   */
  refuse(names: readonly string[], words?: string): boolean;
}

/** Finds an error that the field's own rules do not cover, and answers its message. `values` has all values of the form. */
export type FieldCheck = (
  field: FormField,
  value: string,
  values: Readonly<Record<string, string>>,
) => string | undefined;

export interface Touch {
  readonly isTriggered: boolean;
  readonly showsError: boolean;
}

/** The state of each field except its value. */
export interface FieldMarks {
  /** The server's message about a field, until the field is changed. */
  readonly refused: ReadonlyMap<string, string>;
  /** The message about the last edit of a field, if the edit was refused. */
  readonly faults: ReadonlyMap<string, string>;
  touchOf(field: FormField): Touch;
  /** @param fault the message about a refused edit */
  change(field: FormField, fault: string | undefined): void;
  focus(field: FormField): void;
  blur(field: FormField): void;
  /** @param ofAll whether a change of any field ends the marks, not only of the marked one */
  refuse(names: readonly string[], words: string, ofAll: boolean): void;
  /** Shows the errors of the fields. The form, not the user, sets the next focus, so that focus hides no error. */
  reveal(fields: readonly FormField[]): void;
}

export interface FieldDraft {
  readonly values: Readonly<Record<string, string>>;
  /** The chosen prefix of each phone. */
  readonly prefixes: Readonly<Record<string, string>>;
  write(name: string, value: string, prefix: string | undefined): void;
}
