import { linkPolicyOf } from '../../kit/link/link-policy.ts';
import { findMethod, useMethodList } from '../../kit/method/method-list.ts';
import { methodTitle } from '../../kit/method/method-text.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Icon } from '../../ui/marks/icon.tsx';
import { Page, PageFooter } from '../../ui/page/page.tsx';
import { StateView } from '../../ui/page/state-view.tsx';
import { allowedVideoOrigins, type Guide, guideOf } from './model.ts';
import styles from './video-screen.module.css';

/** The video of the method in the page's URL (DEP-13). The link below it works even if the player does not. */
export function Screen({ query }: ScreenProps) {
  const texts = useTexts();
  const { translate } = texts;
  const { navigation } = useServices();
  const { direction, product, tree } = usePlace();
  const catalogue = useMethodList(direction);
  if (catalogue.at !== 'ready') return null;
  const method = findMethod(catalogue.list, query.get('method') ?? undefined);
  // A guide is a web page, so the schemes of the method's payment apps do not count.
  const policy = linkPolicyOf({ flags: {} });
  const guide = guideOf(method?.video_guide_url, allowedVideoOrigins(document), policy);
  const back = method ? product.methodPath(tree, method) : tree;
  return (
    <>
      <Page>
        {method && guide ? (
          <Video guide={guide} title={translate('video.of', { method: methodTitle(method, texts) })} />
        ) : (
          <StateView
            icon="play"
            tone="calm"
            title={translate('video.none.title')}
            text={translate('video.none.text')}
          />
        )}
      </Page>
      <PageFooter>
        {method && (
          <Button
            look="secondary"
            // The steps replace the video in the history, so Back leads from the steps to the payment.
            onClick={() =>
              navigation.go(`${tree}/redirect/${encodeURIComponent(method.name)}/instruction`, { replace: true })
            }
          >
            {translate('video.steps')}
          </Button>
        )}
        <Button look="ghost" onClick={() => navigation.back(back)}>
          {translate('video.back')}
        </Button>
      </PageFooter>
    </>
  );
}

function Video({ guide, title }: { readonly guide: Guide; readonly title: string }) {
  const { translate } = useTexts();
  return (
    <>
      <h2 className={styles.title}>{title}</h2>
      {guide.kind === 'player' && (
        <iframe
          className={styles.player}
          src={guide.src}
          title={title}
          // A site's player needs its own storage and scripts, and nothing of this page. The policy allows no other site.
          sandbox="allow-scripts allow-same-origin allow-presentation allow-popups"
          allow="fullscreen; picture-in-picture; encrypted-media"
          referrerPolicy="strict-origin-when-cross-origin"
          loading="lazy"
        />
      )}
      {guide.kind === 'file' && (
        // biome-ignore lint/a11y/useMediaCaption: the file is the operator's; the same is said step by step on the page beside it
        <video className={styles.player} src={guide.src} title={title} controls preload="metadata" playsInline />
      )}
      <a className={styles.link} href={guide.href} target="_blank" rel="noopener noreferrer">
        {translate('video.open')}
        <Icon name="external" size={18} />
      </a>
    </>
  );
}
