import { withAsciiDigits } from '@opencashier/core/amount/digits';
import { CONFIRMATION_ID_ERROR_KEY, isConfirmationId } from '@opencashier/core/fields/confirmation-id';
import { type RefObject, useRef, useState } from 'react';
import { useLeadToFault } from '../../kit/form/use-lead-to-fault.ts';
import { useTexts } from '../../kit/session/services.tsx';
import { Field } from '../../ui/inputs/field.tsx';
import { TextInput } from '../../ui/inputs/text-input.tsx';
import { Card } from '../../ui/page/card.tsx';

export interface ConfirmationId {
  readonly isAsked: boolean;
  /** Also true when no number is required. */
  readonly isValid: boolean;
  /** The number for the call; undefined when none is required. */
  readonly value: string | undefined;
  readonly typed: string;
  readonly isErrorShown: boolean;
  readonly place: RefObject<HTMLDivElement | null>;
  onType(text: string): void;
  onBlur(): void;
  onFocus(): void;
  /** Shows the error and moves the focus to the field. */
  demand(): void;
}

/** The number of the receipt, for methods whose flag requires it (FORM-10). */
export function useConfirmationId(isAsked: boolean): ConfirmationId {
  const [typed, setTyped] = useState('');
  const [isLeft, setLeft] = useState(false);
  // When the form moves the focus here, that focus must not hide the error.
  const [isDemanded, setDemanded] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const leadToFault = useLeadToFault(place);
  const isRight = isConfirmationId(typed);
  return {
    isAsked,
    isValid: !isAsked || isRight,
    value: isAsked && isRight ? typed.trim() : undefined,
    typed,
    isErrorShown: !isRight && (isDemanded || (isLeft && typed !== '')),
    place,
    onType(text) {
      setTyped(withAsciiDigits(text));
      setDemanded(false);
    },
    onBlur: () => setLeft(true),
    onFocus: () => setLeft(false),
    demand() {
      setDemanded(true);
      leadToFault();
    },
  };
}

export function ConfirmationField({ confirmation }: { readonly confirmation: ConfirmationId }) {
  const { translate } = useTexts();
  const { typed, isErrorShown, place, onType, onBlur, onFocus } = confirmation;
  return (
    <div ref={place}>
      <Card>
        <Field
          label={translate('p2p.confirmation.label')}
          hint={translate('p2p.confirmation.hint')}
          error={isErrorShown ? translate(CONFIRMATION_ID_ERROR_KEY) : undefined}
        >
          {(control) => (
            <TextInput
              {...control}
              dir="ltr"
              inputMode="numeric"
              autoComplete="off"
              maxLength={20}
              value={typed}
              onChange={(event) => onType(event.target.value)}
              onBlur={onBlur}
              onFocus={onFocus}
            />
          )}
        </Field>
      </Card>
    </div>
  );
}
