import type { PaymentMethod } from '@opencashier/contract/api';
import { confirmationMinutes, findChain } from '@opencashier/core/crypto/chains';
import { useOrder } from '../../kit/deposit/order.ts';
import { CoinHead } from '../../kit/method/coin-head.tsx';
import { methodCoin } from '../../kit/method/method-text.ts';
import { useMethod } from '../../kit/method/use-method.ts';
import { useAnnouncedChange } from '../../kit/session/announced-change.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { type Texts, useServices, useSession, useTexts } from '../../kit/session/services.tsx';
import { Segmented } from '../../ui/inputs/segmented.tsx';
import { Page } from '../../ui/page/page.tsx';
import { VisuallyHidden } from '../../ui/page/visually-hidden.tsx';
import type { CodeSize } from './address-card.tsx';
import { addressPath, isKept, kept } from './address-path.ts';
import { AddressRequest } from './address-request.tsx';
import { DepositAddress } from './deposit-address.tsx';
import { knownDeposit } from './known-deposits.ts';
import { chosenNetwork, type Network, networksOf } from './model.ts';

/**
 * The address to which the user sends a coin, for each network (CRY-1). The page's URL names the network and the deposit, so that
 * a reload shows the same address (NAV-7). Without a deposit, one is created.
 */
export function Screen({ codeSize = 'large', ...props }: ScreenProps & { readonly codeSize?: CodeSize }) {
  const method = useMethod(props.params['method']);
  return method ? <Coin {...props} method={method} codeSize={codeSize} /> : null;
}

interface CoinProps extends ScreenProps {
  readonly method: PaymentMethod;
  readonly codeSize: CodeSize;
}

function Coin({ method, query, state, codeSize }: CoinProps) {
  const texts = useTexts();
  const { navigation } = useServices();
  const { country, currency } = useSession();
  const { tree } = usePlace();
  const order = useOrder();
  const { field, networks } = networksOf(method);
  const network = chosenNetwork(networks, query.get('network'));
  const depositId = query.get('depositId') ?? undefined;
  const intentFor = (value: string | undefined) => ({
    method: method.name,
    network: value,
    currency,
    country,
    boxId: order?.boxId,
  });
  const go = (value: string | undefined) => {
    const known = knownDeposit(intentFor(value));
    navigation.go(addressPath(tree, method.name, value, known), { replace: true, ...(known && { state: kept }) });
  };
  const intent = intentFor(network?.value);
  const { announced, onShown } = useAnnouncedChange(
    texts.translate('crypto.address', { network: network?.title ?? '' }),
  );
  return (
    <Page>
      <CoinHead
        method={method}
        guide={method.video_guide_url}
        detail={detailOf(network, texts)}
        coin={methodCoin(method)}
      />
      {order?.summary}
      {networks.length > 1 && network && (
        <Segmented
          label={texts.translate('crypto.network')}
          options={networks.map(({ value, title }) => ({ value, text: title }))}
          chosen={network.value}
          onChoose={go}
        />
      )}
      {depositId === undefined ? (
        <AddressRequest key={network?.value} method={method} network={network} field={field} intent={intent} />
      ) : (
        <DepositAddress
          key={depositId}
          method={method}
          network={network}
          intent={intent}
          depositId={depositId}
          isKept={isKept(state)}
          codeSize={codeSize}
          onShown={onShown}
        />
      )}
      <div role="status">
        <VisuallyHidden>{announced}</VisuallyHidden>
      </div>
    </Page>
  );
}

/** How many confirmations a payment needs, and how long they usually take (§9). */
function detailOf(network: Network | undefined, texts: Texts): string | undefined {
  if (network === undefined) return undefined;
  const minutes = confirmationMinutes(network.title);
  const count = findChain(network.value)?.confirmations;
  return count === undefined
    ? texts.translate('crypto.detailMinutes', { minutes })
    : texts.translate('crypto.detail', { count, minutes });
}
