/** The state of one form field. */
export interface FieldState {
  readonly value: string;
  /** The user has used the field: blur, change or input (FORM-5). */
  readonly isTriggered: boolean;
  /** Whether the field shows its error, if it has one. */
  readonly showsError: boolean;
}

/** What a user does to a field. */
export type FieldAction =
  | { readonly type: 'focus' | 'blur' }
  | { readonly type: 'input' | 'change'; readonly value: string };

/** The state of a field that nobody has used yet. */
export function initialFieldState(value = ''): FieldState {
  return { value, isTriggered: false, showsError: false };
}

/** The state of a field after an action (FORM-5): errors show after blur, change or input; focus hides them. */
export function fieldAfter(state: FieldState, action: FieldAction): FieldState {
  switch (action.type) {
    case 'focus':
      return { ...state, showsError: false };
    case 'blur':
      return { ...state, isTriggered: true, showsError: true };
    case 'input':
    case 'change':
      return { value: action.value, isTriggered: true, showsError: true };
  }
}

/** The properties of a visible field that the submit rule needs. */
export interface SubmitField {
  readonly isTriggered: boolean;
  readonly isValid: boolean;
  readonly isFilled: boolean;
}

/**
 * Whether the submit button is disabled (FORM-5, section 4 'Form').
 * It is disabled when a triggered field is invalid, or when the form is invalid and a field is empty.
 * `isFormValid` is true whenever the button mounts.
 */
export function isSubmitDisabled(fields: readonly SubmitField[], isFormValid: boolean): boolean {
  if (fields.some(({ isTriggered, isValid }) => isTriggered && !isValid)) return true;
  return !isFormValid && fields.some(({ isFilled }) => !isFilled);
}

/** The open dropdown after a click on `name` (FORM-7). Only one is open, and a second click closes it. */
export function toggledDropdown(open: string | undefined, name: string): string | undefined {
  return open === name ? undefined : name;
}
