/** Screens that buy a coin box. They are the screens that top up a balance, with the box in place of the amount (SWP-1, SWP-3). */
import type { SweepstakeBox } from '@opencashier/contract/api';
import { NO_BOX_SELECTED_MESSAGE } from '@opencashier/core/sweepstake/coin-box';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { type Order, OrderProvider } from '../../kit/deposit/order.ts';
import type { RouteDefinition, Screen, ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { SessionScope } from '../../kit/session/session-scope.tsx';
import { isSameOffer, isSoldOut, useBoxes, useForgetBoxes } from '../../kit/sweepstake/boxes.ts';
import { chooseBox, chosenBoxId } from '../../kit/sweepstake/chosen-box.ts';
import { OrderSummary } from '../../kit/sweepstake/order-summary.tsx';
import { Offered, Waiting } from './offered.tsx';

/** The server's refusals of an order, and the message for each. */
const refusals: Readonly<Record<string, string>> = {
  'box-sold-out': 'order.soldOut',
  'box-changed': 'order.changed',
  'not-found': 'order.gone',
};

/**
 * Gives a screen the chosen box to buy, and the texts of a purchase. A user who has chosen none is led back to the boxes. If the address names a deposit, its
 * payment continues, even if the box has sold out since.
 * @param needs the parameter that the address must name. The methods are shown without it, and where the box cannot be bought by
 *   it
 */
export function ordered(Inner: Screen, needs?: RouteDefinition['needs']): Screen {
  return function Ordered(props: ScreenProps) {
    const boxes = useBoxes();
    const chosen = chosenBoxId();
    const offered = boxes.known.find(({ boxId }) => boxId === chosen);
    // The box that the user has seen. A price must never change just before a press. The create says whether the box has sold
    // out.
    const [shown, setShown] = useState(offered);
    if (shown === undefined && offered !== undefined) setShown(offered);
    const box = offered && (shown ?? offered);
    const isPaying = props.query.has('depositId');
    if (!isPaying && chosen === undefined) return <Leave text="order.notChosen" />;
    if (boxes.isLoading && box === undefined) return <Waiting />;
    if (!isPaying && box === undefined) return <Leave text="order.gone" />;
    if (!isPaying && box !== undefined && isSoldOut(box)) return <Leave text="order.soldOut" />;
    if (!isPaying && offered && box && !isSameOffer(offered, box)) return <Leave text="order.changed" />;
    const content =
      needs === undefined ? (
        <Inner {...props} />
      ) : (
        <Offered needs={needs} name={props.params[needs]} elsewhere="/select-method">
          <Inner {...props} />
        </Offered>
      );
    if (box === undefined) return content;
    return (
      // No method offers a box that has sold out, but a payment in progress continues.
      <SessionScope currency={box.priceCurrencyCode} words="purchase" {...(isPaying ? {} : { boxId: box.boxId })}>
        <WithOrder box={box} isPaying={isPaying}>
          {content}
        </WithOrder>
      </SessionScope>
    );
  };
}

/** Says why there is no box to buy, and leads back to the current boxes. */
function Leave({ text }: { readonly text: string }) {
  const { navigation, notify, post } = useServices();
  const { translate } = useTexts();
  const { tree } = usePlace();
  // The first reason is the true one. Later renders have no chosen box and would give another reason.
  const [reason] = useState(text);
  useEffect(() => {
    chooseBox(undefined);
    post({ messageType: 'error', payload: { code: 'not-chosen', message: NO_BOX_SELECTED_MESSAGE } });
    notify({ kind: 'info', text: translate(reason) });
    navigation.go(tree, { replace: true });
  }, [navigation, notify, post, translate, tree, reason]);
  return <Waiting />;
}

interface WithOrderProps {
  readonly box: SweepstakeBox;
  readonly isPaying: boolean;
  readonly children: ReactNode;
}

function WithOrder({ box, isPaying, children }: WithOrderProps) {
  const { navigation, notify } = useServices();
  const { translate } = useTexts();
  const { tree } = usePlace();
  const forgetBoxes = useForgetBoxes();
  const order = useMemo<Order>(
    () => ({
      boxId: box.boxId,
      price: box.price,
      summary: <OrderSummary box={box} isFixed={isPaying} />,
      onRefused(code) {
        const text = code === undefined ? undefined : refusals[code];
        if (text === undefined) return false;
        notify({ kind: 'error', text: translate(text) });
        chooseBox(undefined);
        forgetBoxes();
        navigation.go(tree, { replace: true });
        return true;
      },
    }),
    [box, isPaying, translate, notify, navigation, tree, forgetBoxes],
  );
  return <OrderProvider value={order}>{children}</OrderProvider>;
}
