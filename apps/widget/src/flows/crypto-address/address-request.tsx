import type { PaymentMethod } from '@opencashier/contract/api';
import { methodLimits } from '@opencashier/core/limits/limits';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { limitsQuery } from '../../kit/amount/limits-query.ts';
import { DepositFacts } from '../../kit/deposit/deposit-facts.tsx';
import { useOrder } from '../../kit/deposit/order.ts';
import { useDeposit } from '../../kit/deposit/use-deposit.ts';
import { DynamicForm } from '../../kit/form/dynamic-form.tsx';
import { visibleFields } from '../../kit/form/form-values.ts';
import { useFields } from '../../kit/form/use-fields.ts';
import { ProviderLink } from '../../kit/link/provider-link.tsx';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useSession, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { StateView } from '../../ui/page/state-view.tsx';
import { AddressFailed } from './address-failed.tsx';
import { addressPath, kept } from './address-path.ts';
import { AddressSkeleton } from './address-skeleton.tsx';
import { type AddressIntent, knownDeposit } from './known-deposits.ts';
import type { Network } from './model.ts';

interface AddressRequestProps {
  readonly method: PaymentMethod;
  readonly network: Network | undefined;
  /** The field with the network; undefined for a method with only one network. */
  readonly field: string | undefined;
  readonly intent: AddressIntent;
}

/**
 * Creates the deposit with the address at once, because a coin's page has no form (§2). It asks for the minimum, because the
 * amount is not known in advance. A method with fields shows them first.
 */
export function AddressRequest({ method, network, field, intent }: AddressRequestProps) {
  const { navigation } = useServices();
  const { translate } = useTexts();
  const { currency } = useSession();
  const { tree } = usePlace();
  const order = useOrder();
  const least = useLeastAmount(method);
  const amount = order?.price ?? least;
  const deposit = useDeposit({
    method,
    variant: {
      staysHere: true,
      replacesForm: true,
      isPaidOnSight: true,
      mark: network?.value,
      pathOf: (step) =>
        step.kind === 'own-route' ? addressPath(tree, method.name, network?.value, step.depositId) : undefined,
    },
    onInvalid: () => fields.reveal(),
    onRefusedFields: (names) => fields.refuse(names),
  });
  const asked = visibleFields(method.fields).filter(({ type }) => type !== 'networks');
  const fields = useFields([...asked, ...deposit.extraFields], method);
  const [hasSubmitted, setSubmitted] = useState(false);
  const submit = () => {
    setSubmitted(true);
    deposit.submit({
      amount: amount ?? '',
      fields: { ...fields.values, ...(field && network ? { [field]: network.value } : {}) },
      isValid: amount !== undefined && fields.isValid,
      isFromChip: false,
      paymentSessionId: undefined,
    });
  };
  const known = knownDeposit(intent);
  const hasStarted = useRef(false);
  useEffect(() => {
    if (hasStarted.current || (known === undefined && (amount === undefined || asked.length > 0))) return;
    hasStarted.current = true;
    if (known === undefined) submit();
    else navigation.go(addressPath(tree, method.name, network?.value, known), { replace: true, state: kept });
  });

  if (deposit.link) return <ProviderLink target={deposit.link} onFollow={deposit.followLink} />;
  if (deposit.isBeingChecked) {
    return (
      <div role="status">
        <StateView
          icon="clock"
          tone="warn"
          title={translate('crypto.checking.title')}
          text={translate('crypto.checking.text')}
          isActive
          details={<DepositFacts amount={amount} currency={currency} method={method} depositId={deposit.depositId} />}
        />
      </div>
    );
  }
  if (!deposit.isBusy && fields.states.length > 0 && deposit.at !== 'done') {
    return (
      <>
        <DynamicForm fields={fields} isDisabled={false} />
        <Button onClick={submit}>{translate('crypto.continue')}</Button>
      </>
    );
  }
  // A press that is idle again has sent nothing, because the engine's file could not be loaded.
  const isUnsent = deposit.at === 'idle' && hasSubmitted;
  if (deposit.at === 'failed' || isUnsent) return <AddressFailed onRetry={submit} />;
  return <AddressSkeleton />;
}

/** The method's minimum in the session's currency, or one unit of it. Undefined until the server's limits are known. */
function useLeastAmount(method: PaymentMethod): string | undefined {
  const services = useServices();
  const { country, currency } = useSession();
  const served = useQuery(limitsQuery(services, method.name, currency));
  if (served.isPending) return undefined;
  const rule = method.amount_rules[currency];
  const { min } = methodLimits({ currency, country, rule, server: served.data });
  const decimals = decimalsOf(currency);
  return toDecimalString(min ?? 10n ** BigInt(decimals), decimals);
}
