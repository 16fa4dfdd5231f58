import { asciiDigit } from '@opencashier/core/amount/digits';
import type { RefObject } from 'react';
import { plural } from '../../kit/format/plural.ts';
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
  const texts = useTexts();
  const { translate } = texts;
  const offlinePress = useOfflinePress();
  const { wanted, error, resendInS } = code;
  const left = error?.attemptsLeft;
  const words = error && [
    translate(error.key),
    ...(left === undefined ? [] : [plural(texts, 'confirm.code.left', left)]),
  ];
  return (
    <Card>
      <Field
        label={translate('confirm.code')}
        hint={translate(`confirm.code.sent.${wanted.channel}`)}
        error={words?.join(' ')}
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
                  seconds: new Intl.NumberFormat(texts.formatLocale).format(resendInS),
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
