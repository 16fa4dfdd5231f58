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
  /** A checked link to a guide (FORM-9). If there is one, a button leads to the guide's page. */
  readonly guide: string | undefined;
  /** The screen's own text in place of the method's description. */
  readonly detail?: string | undefined;
  /** The coin of the method; its drawing replaces the method's mark. */
  readonly coin?: string | undefined;
}

/** Title and description of a method, and its visual guide (DEP-4). */
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

/** The button to the page of the video guide (DEP-13). */
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
