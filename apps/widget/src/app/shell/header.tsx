import type { Ref } from 'react';
import type { BackRoute } from '../../kit/session/product.ts';
import { useServices, useSession, useTexts } from '../../kit/session/services.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Icon } from '../../ui/marks/icon.tsx';
import styles from './header.module.css';

interface HeaderProps {
  /** The translated title. */
  readonly title: string;
  readonly back: BackRoute | undefined;
  readonly hidesClose: boolean;
  readonly onClose: () => void;
  /** Takes the focus when the screen changes. */
  readonly headingRef: Ref<HTMLHeadingElement>;
}

/** NAV-4: shows the title, or a Back button. With a Back button only screen readers get the title. */
export function Header({ title, back, hidesClose, onClose, headingRef }: HeaderProps) {
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { payload } = useSession();
  return (
    <header className={styles.header} data-part="header">
      <h1 ref={headingRef} tabIndex={-1} className={back ? styles.hiddenTitle : styles.title}>
        {title}
      </h1>
      {back && (
        <button
          type="button"
          className={styles.back}
          onClick={() =>
            back.kind === 'page' ? navigation.go(back.page, { replace: true }) : navigation.back(back.page)
          }
        >
          <Icon name="chevron-back" size={20} />
          {translate('header.back')}
        </button>
      )}
      {payload.closingButton && !hidesClose && (
        <IconButton icon="close" label={translate('header.close')} onClick={onClose} />
      )}
    </header>
  );
}
