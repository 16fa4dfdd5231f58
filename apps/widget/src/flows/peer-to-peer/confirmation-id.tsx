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
  /** True when nothing is asked for, too. */
  readonly isValid: boolean;
  /** For the call; undefined when nothing is asked for. */
  readonly value: string | undefined;
  readonly typed: string;
  readonly isErrorShown: boolean;
  readonly place: RefObject<HTMLDivElement | null>;
  onType(text: string): void;
  onBlur(): void;
  onFocus(): void;
  /** Says what is missing, and leads there. */
  demand(): void;
}

/** FORM-10: the number of the receipt, for methods whose flag asks for it. */
export function useConfirmationId(isAsked: boolean): ConfirmationId {
  const [typed, setTyped] = useState('');
  const [isLeft, setLeft] = useState(false);
  // Being led there gives the field the focus, which must not take the words about it away.
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
