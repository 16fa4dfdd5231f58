import { useDepositAnswer } from '../../kit/deposit/deposit-answer.ts';
import { MethodHead } from '../../kit/method/method-head.tsx';
import { useMethod } from '../../kit/method/use-method.ts';
import { Instruction } from '../../kit/payment/instruction.tsx';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/page/card.tsx';
import { Page, PageFooter } from '../../ui/page/page.tsx';
import { replayP2p } from './create.ts';

/** The steps of a transfer: the provider's text for an existing deposit, else the widget's own. */
export function Screen({ params, query }: ScreenProps) {
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { tree } = usePlace();
  const method = useMethod(params['method']);
  const depositId = query.get('depositId') ?? undefined;
  const answer = useDepositAnswer(depositId, method?.name ?? '', replayP2p);
  if (!method) return null;
  const root = `${tree}/peer-to-peer/${encodeURIComponent(method.name)}`;
  const usual = {
    steps: [1, 2, 3, 4].map((stepNumber) => ({ stepNumber, stepInstruction: translate(`p2p.step.${stepNumber}`) })),
  };
  const instruction = answer.at === 'ready' ? (answer.data.instruction ?? usual) : usual;
  return (
    <>
      <Page>
        <MethodHead method={method} guide={method.video_guide_url} />
        <Instruction instruction={instruction} />
        <Notice tone="warn">{translate('payment.warning')}</Notice>
      </Page>
      <PageFooter>
        <Button
          onClick={() =>
            navigation.back(depositId === undefined ? root : `${root}/invoice?${new URLSearchParams({ depositId })}`)
          }
        >
          {translate('p2p.toPayment')}
        </Button>
      </PageFooter>
    </>
  );
}
