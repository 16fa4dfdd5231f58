import { MethodHead } from '../../kit/method/method-head.tsx';
import { methodBounds } from '../../kit/method/method-text.ts';
import { useMethod } from '../../kit/method/use-method.ts';
import { Instruction } from '../../kit/payment/instruction.tsx';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useSession, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/page/card.tsx';
import { Page, PageFooter } from '../../ui/page/page.tsx';

/** The steps of a withdrawal (WD-1). Only coins sent to a wrong address are lost, so coins have their own warning. */
export function Screen({ params }: ScreenProps) {
  const texts = useTexts();
  const session = useSession();
  const { translate } = texts;
  const { navigation } = useServices();
  const { product, tree } = usePlace();
  const method = useMethod(params['method']);
  if (!method) return null;
  const isCoin = method.category === 'crypto';
  const { from, to } = methodBounds(method, session, texts);
  const steps = [
    from === undefined || to === undefined
      ? translate('withdrawalInstruction.amount')
      : translate('withdrawalInstruction.amountBetween', { from, to }),
    translate(isCoin ? 'withdrawalInstruction.address' : 'withdrawalInstruction.destination'),
    translate('withdrawalInstruction.confirm'),
    translate('withdrawalInstruction.wait'),
  ];
  return (
    <>
      <Page>
        <MethodHead method={method} guide={undefined} />
        <Instruction
          instruction={{
            steps: steps.map((stepInstruction, index) => ({ stepNumber: index + 1, stepInstruction })),
          }}
        />
        <Notice tone={isCoin ? 'warn' : 'calm'}>
          {translate(isCoin ? 'withdrawalInstruction.finalCoins' : 'withdrawalInstruction.own')}
        </Notice>
      </Page>
      <PageFooter>
        <Button onClick={() => navigation.back(product.methodPath(tree, method))}>
          {translate('withdrawalInstruction.toForm')}
        </Button>
      </PageFooter>
    </>
  );
}
