import type { PaymentMethod } from '@opencashier/contract/api';
import { type ReactNode, Suspense } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import { Icon } from '../../ui/marks/icon.tsx';
import { Marks } from '../../ui/marks/mark.tsx';
import { useTexts } from '../session/services.tsx';
import { Guide } from './guide-part.ts';
import styles from './method-head.module.css';
import { methodTitle } from './method-text.ts';

interface MethodHeadProps {
  readonly method: PaymentMethod;
  /** The link to a video guide. If it may be opened (FORM-9), a button leads to the guide's page. */
  readonly guide: string | undefined;
  /** The screen's own text in place of the method's description. */
  readonly detail?: string | undefined;
  /** What replaces the method's mark, such as the drawing of a coin. Gets the mark, for as long as there is no drawing. */
  readonly drawing?: ((mark: ReactNode) => ReactNode) | undefined;
}

/** Title and description of a method, and its visual guide (DEP-4). */
export function MethodHead({ method, guide, detail, drawing }: MethodHeadProps) {
  const texts = useTexts();
  const description = detail ?? texts.pick(method.description);
  const mark = <Marks iconIds={method.iconIds} most={1} />;
  return (
    <div className={styles.head}>
      {drawing?.(mark) ?? mark}
      <div className={styles.text}>
        <h2 className={styles.title}>{methodTitle(method, texts)}</h2>
        {description !== '' && <p className={styles.description}>{description}</p>}
      </div>
      {guide !== undefined && (
        <Suspense fallback={<GuidePlace />}>
          <Guide method={method.name} link={guide} />
        </Suspense>
      )}
    </div>
  );
}

/** Keeps the button's place, so that nothing moves when it appears. */
function GuidePlace() {
  const { translate } = useTexts();
  return (
    <Button look="pill" className={styles.guidePlace}>
      <Icon name="play" size={18} />
      {translate('method.guide')}
    </Button>
  );
}
