import { safeLink } from '@opencashier/core/links/safe-link';
import { ButtonLink } from '../../ui/buttons/button.tsx';
import { Icon } from '../../ui/marks/icon.tsx';
import { usePlace } from '../session/product-context.tsx';
import { useServices, useTexts } from '../session/services.tsx';
import styles from './method-head.module.css';

/** The button to the page of the video guide (DEP-13). A link that may not be opened is not offered (FORM-9). */
export function Guide({ method, link }: { readonly method: string; readonly link: string }) {
  const { translate } = useTexts();
  const { navigation, session } = useServices();
  const { tree } = usePlace();
  if (safeLink(link) === undefined) return null;
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
