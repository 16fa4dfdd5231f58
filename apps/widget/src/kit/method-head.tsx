import type { PaymentMethod } from '@opencashier/contract/api';
import { Icon } from '../ui/icon.tsx';
import { Marks } from '../ui/mark.tsx';
import styles from './method-head.module.css';
import { methodTitle } from './method-text.ts';
import { useTexts } from './services.tsx';

interface MethodHeadProps {
  readonly method: PaymentMethod;
  /** A checked link (FORM-9). */
  readonly guide: string | undefined;
  /** What a screen knows better than the method's own line. */
  readonly detail?: string | undefined;
}

/** Which method this is, and its visual guide (DEP-4). */
export function MethodHead({ method, guide, detail }: MethodHeadProps) {
  const texts = useTexts();
  const description = detail ?? texts.pick(method.description);
  return (
    <div className={styles.head}>
      <Marks iconIds={method.iconIds} most={1} />
      <div className={styles.text}>
        <h2 className={styles.title}>{methodTitle(method, texts)}</h2>
        {description !== '' && <p className={styles.description}>{description}</p>}
      </div>
      {guide && (
        <a className={styles.guide} href={guide} target="_blank" rel="noopener noreferrer">
          <Icon name="play" size={18} />
          {texts.translate('method.guide')}
        </a>
      )}
    </div>
  );
}
