import type { Redirect } from '@opencashier/core/deposit/next-step';
import { Button, ButtonLink } from '../../ui/buttons/button.tsx';
import { Icon } from '../../ui/marks/icon.tsx';
import { Page, PageFooter } from '../../ui/page/page.tsx';
import { StateView } from '../../ui/page/state-view.tsx';
import { useServices, useTexts } from '../session/services.tsx';
import styles from './provider-link.module.css';
import { linkOut } from './way-out.ts';

/** The page with a link to the provider, for a browser that blocked the payment window (DEP-2). */
export function ProviderLink({ target, onFollow }: { readonly target: Redirect; readonly onFollow: () => void }) {
  const { translate } = useTexts();
  return (
    <>
      <Page>
        <StateView icon="external" tone="good" title={translate('provider.title')} text={translate('provider.text')} />
      </Page>
      <PageFooter>
        <ProviderButton target={target} onFollow={onFollow} />
      </PageFooter>
    </>
  );
}

/** The link itself, or a form if the provider needs a POST. */
export function ProviderButton({ target, onFollow }: { readonly target: Redirect; readonly onFollow: () => void }) {
  const { translate } = useTexts();
  const { clock } = useServices();
  const label = (
    <>
      {translate('provider.open')}
      <Icon name="external" size={20} />
    </>
  );
  // The click itself opens the new window. This page changes only after that.
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
