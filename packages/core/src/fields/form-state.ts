/** What a form knows of one field. */
export interface FieldState {
  readonly value: string;
  /** The user has been in it: blur, change or input (FORM-5). */
  readonly isTriggered: boolean;
  /** Whether an error, if there is one, is shown now. */
  readonly showsError: boolean;
}

/** What a user does to a field. */
export type FieldAction =
  | { readonly type: 'focus' | 'blur' }
  | { readonly type: 'input' | 'change'; readonly value: string };

/** A field that nobody has touched. */
export function initialFieldState(value = ''): FieldState {
  return { value, isTriggered: false, showsError: false };
}

/** A field after an action (FORM-5): errors show after blur, change or input; focus clears them. */
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

/** What the submit rule asks of each visible field. */
export interface SubmitField {
  readonly isTriggered: boolean;
  readonly isValid: boolean;
  readonly isFilled: boolean;
}

/**
 * Whether the submit button is disabled (FORM-5, section 4 'Form'): when any field is triggered and invalid, or the form is
 * invalid and its fields are not all filled. `isFormValid` starts as true whenever the button mounts.
 */
export function isSubmitDisabled(fields: readonly SubmitField[], isFormValid: boolean): boolean {
  if (fields.some(({ isTriggered, isValid }) => isTriggered && !isValid)) return true;
  return !isFormValid && fields.some(({ isFilled }) => !isFilled);
}

/** The one open dropdown after a click on `name` (FORM-7): opening one closes the other, a second click closes it. */
export function toggledDropdown(open: string | undefined, name: string): string | undefined {
  return open === name ? undefined : name;
}
