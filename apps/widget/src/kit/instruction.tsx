import type { DepositData } from '@opencashier/contract/api';
import { Card } from '../ui/card.tsx';
import styles from './instruction.module.css';
import { useTexts } from './services.tsx';

/** How to pay, in the provider's words: steps in their order, or a text (DEP-5). Text nodes: HTML in it is shown, not run. */
export function Instruction({ instruction }: { readonly instruction: DepositData['instruction'] }) {
  const { translate } = useTexts();
  const steps = instruction && 'steps' in instruction ? instruction.steps : [];
  const text = instruction && 'text' in instruction ? instruction.text.trim() : '';
  if (steps.length === 0 && text === '') return null;
  return (
    <Card>
      {steps.length > 0 ? (
        <ol className={styles.steps} aria-label={translate('payment.steps')}>
          {[...steps]
            .sort((left, right) => left.stepNumber - right.stepNumber)
            .map(({ stepNumber, stepInstruction }) => (
              <li key={`${stepNumber} ${stepInstruction}`}>
                <bdi>{stepInstruction}</bdi>
              </li>
            ))}
        </ol>
      ) : (
        <p className={styles.text} dir="auto">
          {text}
        </p>
      )}
    </Card>
  );
}
