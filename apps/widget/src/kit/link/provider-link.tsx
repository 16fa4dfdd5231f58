import type { Redirect } from '@opencashier/core/deposit/next-step';
import { Button, ButtonLink } from '../../ui/buttons/button.tsx';
import { Icon } from '../../ui/marks/icon.tsx';
import { Page, PageFooter } from '../../ui/page/page.tsx';
import { StateView } from '../../ui/page/state-view.tsx';
import { useServices, useTexts } from '../session/services.tsx';
import styles from './provider-link.module.css';
import { linkOut } from './way-out.ts';

/** The browser blocked the payment window: the way there is a link that a person follows (DEP-2). */
export function ProviderLink({ target, onFollow }: { readonly target: Redirect; readonly onFollow: () => void }) {
  const { translate } = useTexts();
  return (
    <>
      <Page>
        <StateView icon="external" tone="good" title={translate('provider.title')} text={translate('provider.text')} />
      </Page>
      <PageFooter>
        <ProviderWay target={target} onFollow={onFollow} />
      </PageFooter>
    </>
  );
}

/** The link itself, or the form where the provider wants one posted. */
export function ProviderWay({ target, onFollow }: { readonly target: Redirect; readonly onFollow: () => void }) {
  const { translate } = useTexts();
  const { clock } = useServices();
  const label = (
    <>
      {translate('provider.open')}
      <Icon name="external" size={20} />
    </>
  );
  // The new window opens as the click's own effect; the page here moves on after it.
  const followed = () => {
    clock.setTimer(onFollow, 0);
  };
  return target.method === 'GET' ? (
    <ButtonLink href={target.href} {...linkOut(target.href)} onClick={followed}>
      {label}
    </ButtonLink>
  ) : (
    <form method="post" action={target.href} target="_blank" rel="noopener noreferrer" onSubmit={followed}>
      {Object.entries(target.fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" className={styles.wide}>
        {label}
      </Button>
    </form>
  );
}
