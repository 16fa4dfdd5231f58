import { isSubmitDisabled, type SubmitField } from '@opencashier/core/fields/form-state';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/buttons/button.tsx';

interface SubmitButtonProps {
  /** Every visible field of the form, the amount included. */
  readonly asked: readonly SubmitField[];
  readonly isBusy: boolean;
  readonly children: ReactNode;
}

/**
 * The button of a form, by the submit rule of section 4 (FORM-5). The button counts the form as valid when it mounts, and checks
 * it at each press. While the rule disables it, it stays focusable and can be pressed. Such a press sends nothing: the form is
 * checked again, and shows what is missing. A button with the attribute `disabled` could not say why.
 */
export function SubmitButton({ asked, isBusy, children }: SubmitButtonProps) {
  const [wasValid, setWasValid] = useState(true);
  const isValid = asked.every((field) => field.isValid);
  return (
    <Button
      type="submit"
      isBusy={isBusy}
      aria-disabled={isSubmitDisabled(asked, wasValid || isValid)}
      onClick={() => setWasValid(isValid)}
    >
      {children}
    </Button>
  );
}
