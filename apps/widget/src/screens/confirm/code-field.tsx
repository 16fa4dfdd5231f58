import { asciiDigit } from '@opencashier/core/amount/digits';
import type { RefObject } from 'react';
import { OfflineAlert, useOfflinePress } from '../../kit/session/offline-press.tsx';
import { useTexts } from '../../kit/session/services.tsx';
import type { ConfirmationCode } from '../../kit/withdrawal/use-confirmation-code.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Field } from '../../ui/inputs/field.tsx';
import { TextInput } from '../../ui/inputs/text-input.tsx';
import { Card } from '../../ui/page/card.tsx';
import styles from './confirm.module.css';

/** The field for the confirmation code, and a button for another code. */
export function CodeField({
  code,
  inputRef,
  isDisabled,
}: {
  readonly code: ConfirmationCode;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly isDisabled: boolean;
}) {
  const { translate } = useTexts();
  const offlinePress = useOfflinePress();
  const { wanted, error, resendInS } = code;
  const problem =
    error &&
    (error.attemptsLeft === undefined
      ? translate(error.key)
      : translate('confirm.code.left', { count: error.attemptsLeft }));
  return (
    <Card>
      <Field
        label={translate('confirm.code')}
        hint={translate(`confirm.code.sent.${wanted.channel}`)}
        error={problem}
        sharesLine
      >
        {(control) => (
          <TextInput
            {...control}
            ref={inputRef}
            dir="ltr"
            inputMode="numeric"
            autoComplete="one-time-code"
            enterKeyHint="go"
            disabled={isDisabled}
            value={code.typed}
            onChange={({ currentTarget }) => code.type(digitsOf(currentTarget.value).slice(0, wanted.length))}
          />
        )}
      </Field>
      {resendInS !== undefined && (
        <div className={styles.resend}>
          <Button
            look="ghost"
            isBusy={code.isSending}
            aria-disabled={resendInS > 0}
            onClick={() => resendInS === 0 && !offlinePress.refuses() && code.resend()}
          >
            {resendInS > 0
              ? translate('confirm.code.resendIn', {
                  seconds: resendInS,
                })
              : translate('confirm.code.resend')}
          </Button>
          <OfflineAlert press={offlinePress} />
        </div>
      )}
    </Card>
  );
}

/** The digits of any script as ASCII digits, without all other characters. */
function digitsOf(text: string): string {
  return [...text].map((char) => asciiDigit(char) ?? '').join('');
}
