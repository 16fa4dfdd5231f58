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

/** How to pay (DEP-13): the provider's text for an existing deposit, else the widget's own. */
export function Screen({ params, query }: ScreenProps) {
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { product, tree } = usePlace();
  const method = useMethod(params['method']);
  const answer = useDepositAnswer(query.get('depositId') ?? undefined, params['method'] ?? '');
  if (!method) return null;
  const words = method.category === 'crypto' ? 'instruction.coins' : 'instruction.step';
  const usual = {
    steps: [1, 2, 3].map((stepNumber) => ({ stepNumber, stepInstruction: translate(`${words}.${stepNumber}`) })),
  };
  return (
    <>
      <Page>
        <MethodHead method={method} guide={method.video_guide_url} />
        <Instruction instruction={answer.at === 'ready' ? (answer.data.instruction ?? usual) : usual} />
        <Notice tone="warn">{translate('instruction.once')}</Notice>
      </Page>
      <PageFooter>
        <Button onClick={() => navigation.back(product.methodPath(tree, method))}>
          {translate('instruction.toPayment')}
        </Button>
      </PageFooter>
    </>
  );
}
