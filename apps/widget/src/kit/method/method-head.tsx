import type { PaymentMethod } from '@opencashier/contract/api';
import { ButtonLink } from '../../ui/buttons/button.tsx';
import { Icon } from '../../ui/marks/icon.tsx';
import { Marks } from '../../ui/marks/mark.tsx';
import { CurrencyIcon } from '../format/currency-icon.tsx';
import { usePlace } from '../session/product-context.tsx';
import { useServices, useTexts } from '../session/services.tsx';
import styles from './method-head.module.css';
import { methodTitle } from './method-text.ts';

interface MethodHeadProps {
  readonly method: PaymentMethod;
  /** A checked link (FORM-9): with one the guide's page is offered, which shows it. */
  readonly guide: string | undefined;
  /** What a screen knows better than the method's own line. */
  readonly detail?: string | undefined;
  /** The coin that the method is about; its drawing takes the place of the method's mark. */
  readonly coin?: string | undefined;
}

/** Which method this is, and its visual guide (DEP-4). */
export function MethodHead({ method, guide, detail, coin }: MethodHeadProps) {
  const texts = useTexts();
  const description = detail ?? texts.pick(method.description);
  const mark = <Marks iconIds={method.iconIds} most={1} />;
  return (
    <div className={styles.head}>
      {coin === undefined ? mark : <CurrencyIcon currency={coin}>{mark}</CurrencyIcon>}
      <div className={styles.text}>
        <h2 className={styles.title}>{methodTitle(method, texts)}</h2>
        {description !== '' && <p className={styles.description}>{description}</p>}
      </div>
      {guide && <Guide method={method.name} />}
    </div>
  );
}

/** The page of the video below this list (DEP-13). */
function Guide({ method }: { readonly method: string }) {
  const { translate } = useTexts();
  const { navigation, session } = useServices();
  const { tree } = usePlace();
  const path = `${tree}/video-instruction?${new URLSearchParams({ method })}`;
  return (
    <ButtonLink
      look="pill"
      className={styles.guide}
      href={`${session.getState().basePath}${path}`}
      onClick={(event) => {
        // A new tab would be a widget without a host.
        event.preventDefault();
        navigation.go(path);
      }}
    >
      <Icon name="play" size={18} />
      {translate('method.guide')}
    </ButtonLink>
  );
}
