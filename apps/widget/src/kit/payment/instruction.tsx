import type { DepositData } from '@opencashier/contract/api';
import { formatWireAmount } from '@opencashier/core/money/format';
import { Card } from '../../ui/page/card.tsx';
import { type Texts, useTexts } from '../session/services.tsx';
import styles from './instruction.module.css';

type ProviderInstruction = DepositData['instruction'];

/** The provider's instruction: ordered steps, or a text (DEP-5). It is drawn as text, so HTML in it is shown, not run. */
export function Instruction({ instruction }: { readonly instruction: ProviderInstruction }) {
  const texts = useTexts();
  const { translate } = texts;
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
                <bdi>{withAmounts(stepInstruction, instruction, texts)}</bdi>
              </li>
            ))}
        </ol>
      ) : (
        <p className={styles.text} dir="auto">
          {withAmounts(text, instruction, texts)}
        </p>
      )}
    </Card>
  );
}

/** Fills the amounts into a text, in the format of the locale. A placeholder without a value stays unchanged. */
function withAmounts(text: string, instruction: ProviderInstruction, { formatLocale }: Texts): string {
  const amounts = instruction?.amounts ?? {};
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const amount = Object.hasOwn(amounts, name) ? amounts[name] : undefined;
    return (amount && formatWireAmount(amount, formatLocale, { isolate: true })) ?? whole;
  });
}
