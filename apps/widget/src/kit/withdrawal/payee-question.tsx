import { useEffect, useId, useRef } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/page/card.tsx';
import { useTexts } from '../session/services.tsx';
import styles from './payee-question.module.css';

interface PayeeQuestionProps {
  readonly typed: string;
  /** The name by which the bank knows the account. */
  readonly suggested: string;
  readonly isBusy: boolean;
  onUse(): void;
  onKeep(): void;
}

/** The bank knows the account under a nearly equal name, and the user chooses which name is sent (WD-2). Nothing is on hold yet. */
export function PayeeQuestion({ typed, suggested, isBusy, onUse, onKeep }: PayeeQuestionProps) {
  const { translate } = useTexts();
  const place = useRef<HTMLFieldSetElement>(null);
  const id = useId();
  // It stands above the button that was pressed, so the user would not see it.
  useEffect(() => place.current?.focus(), []);
  // The pressed button leaves with the question. The button of the form takes the focus, and has the words about what follows.
  const leadOn = (choice: () => void) => () => {
    place.current?.form?.querySelector<HTMLElement>('[type=submit]')?.focus();
    choice();
  };
  const names = { name: isolated(suggested), typed: isolated(typed) };
  return (
    <fieldset
      ref={place}
      tabIndex={-1}
      className={styles.question}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <Notice tone="warn">
        <b id={`${id}-title`}>{translate('payee.close.title', names)}</b>
        <p id={`${id}-text`}>{translate('payee.close.text', names)}</p>
      </Notice>
      <div className={styles.choices}>
        <Button look="secondary" isBusy={isBusy} onClick={leadOn(onUse)}>
          {translate('payee.close.use', names)}
        </Button>
        <Button look="secondary" isBusy={isBusy} onClick={leadOn(onKeep)}>
          {translate('payee.close.keep', names)}
        </Button>
      </div>
    </fieldset>
  );
}

/** A name keeps its own direction inside a sentence. */
const isolated = (name: string): string => `\u2068${name}\u2069`;
