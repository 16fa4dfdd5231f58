import { type DepositData, externalDepositContinue, type PaymentMethod } from '@opencashier/contract/api';
import { onrampStep, type Redirect } from '@opencashier/core/deposit/next-step';
import { useRef, useState } from 'react';
import { useDepositAnswer } from '../../kit/deposit/deposit-answer.ts';
import { linkPolicyOf } from '../../kit/link/link-policy.ts';
import { ProviderLink } from '../../kit/link/provider-link.tsx';
import { leaveCashier } from '../../kit/link/way-out.ts';
import { CoinHead } from '../../kit/method/coin-head.tsx';
import { useMethod } from '../../kit/method/use-method.ts';
import { openPaymentWindow } from '../../kit/payment/payment-window.ts';
import { useIsCurrentPage } from '../../kit/session/current-page.ts';
import { failureCode } from '../../kit/session/failure-code.ts';
import { FaultAlert, usePressFault } from '../../kit/session/press-fault.tsx';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useSession, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Page, PageFooter, PageNote } from '../../ui/page/page.tsx';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import { StateView } from '../../ui/page/state-view.tsx';
import { compareOffers, termsOf } from './model.ts';
import styles from './offer-choice.module.css';
import { OfferChoice, sellerName } from './offer-choice.tsx';

/** The offers of a deposit (DEP-14). After a reload they come from the server again (NAV-7). */
export function Screen({ params, query }: ScreenProps) {
  const method = useMethod(params['method']);
  return method ? <OfferList method={method} depositId={query.get('depositId') ?? undefined} /> : null;
}

interface OfferListProps {
  readonly method: PaymentMethod;
  readonly depositId: string | undefined;
}

function OfferList({ method, depositId }: OfferListProps) {
  const { navigation } = useServices();
  const { translate } = useTexts();
  const { product, tree } = usePlace();
  const answer = useDepositAnswer(depositId, method.name);
  const toAmount = () => navigation.go(product.methodPath(tree, method), { replace: true });
  if (answer.at === 'loading') {
    return (
      <Page>
        <Skeleton inlineSize="60%" blockSize="44px" />
        <div role="status" aria-label={translate('onramp.offers')} className={styles.offers}>
          <Skeleton inlineSize="40%" blockSize="39px" />
          {['a', 'b', 'c'].map((offer) => (
            <Skeleton key={offer} blockSize="108px" radius="var(--radius-l)" />
          ))}
        </div>
      </Page>
    );
  }
  if (answer.at === 'failed') {
    return (
      <Page>
        <StateView
          icon="alert"
          tone="bad"
          title={translate('onramp.failed.title')}
          text={translate('onramp.failed.text')}
        >
          <Button look="secondary" onClick={answer.retry}>
            {translate('onramp.retry')}
          </Button>
        </StateView>
      </Page>
    );
  }
  const data = answer.at === 'ready' ? answer.data : undefined;
  if (data === undefined || depositId === undefined || compareOffers(data.paymentMethodOffers).length === 0) {
    return (
      <Page>
        <StateView icon="coin" tone="calm" title={translate('onramp.none.title')} text={translate('onramp.none.text')}>
          <Button look="secondary" onClick={toAmount}>
            {translate('onramp.none.back')}
          </Button>
        </StateView>
      </Page>
    );
  }
  return <Offers key={depositId} method={method} depositId={depositId} data={data} />;
}

interface OffersProps {
  readonly method: PaymentMethod;
  readonly depositId: string;
  readonly data: DepositData;
}

function Offers({ method, depositId, data }: OffersProps) {
  const texts = useTexts();
  const { translate } = texts;
  const { currency } = useSession();
  const offers = compareOffers(data.paymentMethodOffers);
  const terms = termsOf(data, currency);
  const [chosenId, setChosenId] = useState(offers[0]?.id ?? '');
  const chosen = offers.find(({ id }) => id === chosenId) ?? offers[0];
  const { isBusy, link, goOn, press, followLink } = useContinue(method, depositId, chosen?.id ?? '');
  if (link) return <ProviderLink target={link} onFollow={followLink} />;
  return (
    <>
      <Page>
        <CoinHead method={method} guide={undefined} coin={terms.coin} />
        <OfferChoice offers={offers} terms={terms} chosen={chosen?.id ?? ''} onChoose={setChosenId} />
      </Page>
      <PageFooter>
        <FaultAlert press={press} />
        <Button isBusy={isBusy} onClick={() => chosen && void goOn(chosen.offer.method)}>
          {translate('onramp.continue', { method: sellerName(chosen?.offer.method ?? '', texts) })}
        </Button>
        <PageNote>{translate(isBusy ? 'onramp.continuing' : 'onramp.leave')}</PageNote>
      </PageFooter>
    </>
  );
}

/**
 * Continues with the chosen seller (§4 'On-ramp continue'). An error leads to the complete screen with status mistaked and a way
 * back here. Otherwise the seller's page opens, and the widget shows the status.
 */
function useContinue(method: PaymentMethod, depositId: string, chosenId: string) {
  const { api, navigation, session } = useServices();
  const press = usePressFault(chosenId);
  const { translate } = useTexts();
  const { product, tree } = usePlace();
  const [isBusy, setIsBusy] = useState(false);
  const [link, setLink] = useState<Redirect>();
  const isCurrentPage = useIsCurrentPage();
  // A ref, because a second tap may come before React draws the new state.
  const isAsking = useRef(false);
  const complete = (more: Readonly<Record<string, string>> = {}) => {
    const query = new URLSearchParams({ depositId, method: method.name, ...more });
    navigation.go(`${tree}/complete?${query}`, { replace: true });
  };
  const say = (key: string) => press.say(translate(key));

  const open = (step: Redirect) => {
    // The browser may block the window because the tap was too long ago. A link is shown then (DEP-2).
    const paymentWindow = () => openPaymentWindow(translate('deposit.windowWaiting'));
    const beforeLeaving = () => complete();
    if (!leaveCashier(step, { session: session.getState(), method, paymentWindow, beforeLeaving })) setLink(step);
  };

  const ask = async (seller: string) => {
    const answer = await api.call(externalDepositContinue, { depositId, method: seller });
    if (!isCurrentPage()) return;
    const step = onrampStep(depositId, answer, linkPolicyOf(method));
    if (step.kind === 'redirect') open(step);
    else if (step.kind === 'complete') complete({ status: step.status, to: product.methodPath(tree, method) });
    else say('onramp.badLink');
  };

  const goOn = async (seller: string) => {
    if (isAsking.current || press.refuses()) return;
    isAsking.current = true;
    setIsBusy(true);
    try {
      await ask(seller);
    } catch (error) {
      const code = failureCode(error);
      if (code === undefined) throw error;
      if (!isCurrentPage()) return;
      // The deposit can no longer be continued. Its status says why.
      if (code === 'state-conflict' || code === 'not-found') complete();
      else say('onramp.noAnswer');
    } finally {
      isAsking.current = false;
      setIsBusy(false);
    }
  };
  return { isBusy, link, goOn, press, followLink: () => complete() };
}
