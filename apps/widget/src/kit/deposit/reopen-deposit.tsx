/** The button that opens a pending payment again, after the user closed the provider's page by accident (DEP-15). */
import type { PaymentMethod, Transaction } from '@opencashier/contract/api';
import { nextStep, type Redirect } from '@opencashier/core/deposit/next-step';
import { useState } from 'react';
import { ClientError } from '../../api/client.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { callFailureOf } from '../engine/call-failure.ts';
import { linkPolicyOf } from '../link/link-policy.ts';
import { ProviderButton } from '../link/provider-link.tsx';
import { leaveCashier, opensWindowAhead } from '../link/way-out.ts';
import { openPaymentWindow } from '../payment/payment-window.ts';
import { useIsCurrentPage } from '../session/current-page.ts';
import { FaultAlert, usePressFault } from '../session/press-fault.tsx';
import { completePath, usePlace } from '../session/product-context.tsx';
import { type Services, useServices, useTexts } from '../session/services.tsx';
import { createDeposit } from './create-deposit.ts';
import { failureText } from './decline-text.ts';
import { intentOf } from './deposit-intent.ts';
import { hasPageIn, stepPath } from './deposit-paths.ts';

interface ReopenProps {
  /** The server's report. The create is repeated only for a deposit that the server knows, so opening a page never creates one. */
  readonly report: Transaction;
  readonly method: PaymentMethod;
}

/**
 * Sends the create call again under the same key, and follows its answer. The repeat creates nothing new (SRV-6). A payment that
 * has a screen of the widget continues there.
 */
export function ReopenDeposit({ report, method }: ReopenProps) {
  const services = useServices();
  const texts = useTexts();
  const place = usePlace();
  const { product, tree } = place;
  const [isBusy, setIsBusy] = useState(false);
  const [link, setLink] = useState<Redirect>();
  const press = usePressFault();
  const isCurrentPage = useIsCurrentPage();
  const { depositId } = report;
  const statusPath = completePath(tree, depositId, method.name);

  const reopen = async (): Promise<void> => {
    const own = ownScreen(depositId, method, tree, () => product.methodPath(tree, method));
    if (own !== undefined) {
      services.navigation.go(own);
      return;
    }
    if (press.refuses()) return;
    const session = services.session.getState();
    const opened = opensWindowAhead(session, method)
      ? openPaymentWindow(texts.translate('deposit.windowWaiting'))
      : undefined;
    setIsBusy(true);
    try {
      const step = nextStep(await createAgain(services, report), linkPolicyOf(method), hasPageIn(place));
      if (!isCurrentPage()) {
        opened?.close();
        return;
      }
      if (step.kind === 'redirect') {
        if (!leaveCashier(step, { session, method, paymentWindow: opened })) setLink(step);
        return;
      }
      opened?.close();
      const path = step.kind === 'failure' || step.kind === 'fields' ? statusPath : stepPath(step, place, method.name);
      if (path === statusPath) services.notify({ kind: 'info', text: texts.translate('complete.nothingToOpen') });
      else services.navigation.go(path);
    } catch (error) {
      opened?.close();
      if (!(error instanceof ClientError)) throw error;
      press.say(failureText(callFailureOf(error), texts));
    } finally {
      setIsBusy(false);
    }
  };

  if (link) return <ProviderButton target={link} onFollow={() => setLink(undefined)} />;
  return (
    <>
      <FaultAlert press={press} />
      <Button look="secondary" isBusy={isBusy} onClick={() => void reopen()}>
        {texts.translate('complete.reopen')}
      </Button>
    </>
  );
}

/** Peer-to-peer continues through its own form, whose create answers the open deposit. */
function ownScreen(
  depositId: string,
  method: PaymentMethod,
  tree: string,
  methodPath: () => string,
): string | undefined {
  const path = intentOf(depositId)?.path;
  if (path?.startsWith(`${tree}/`) === true && !path.startsWith(`${tree}/complete`)) return path;
  return method.flags.p2p === true ? methodPath() : undefined;
}

function createAgain({ api, session }: Services, { depositId, paymentMethod, amount, currency }: Transaction) {
  const intent = intentOf(depositId);
  return createDeposit(api, {
    depositId,
    paymentType: paymentMethod,
    amount,
    currency,
    // Typed values are not stored. The server repeats the key's first answer without them.
    fields: {},
    selectedCountry: intent?.selectedCountry ?? session.getState().country,
    isActivatedBonus: intent?.bonusId !== undefined,
    ...(intent?.bonusId === undefined ? {} : { bonusId: intent.bonusId }),
    ...(intent?.boxId === undefined ? {} : { boxId: intent.boxId }),
  });
}
