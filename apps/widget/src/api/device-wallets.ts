/**
 * Leaves out methods whose wallet this device cannot have. The script of index.html finds the wallets before the first paint, without
 * a server and without a script of a third party. It takes their tiles out of the server's drawing.
 */
import type { MethodList, PaymentMethod } from '@opencashier/contract/api';

type Wallet = NonNullable<PaymentMethod['flags']['deviceWallet']>;

/** Whether the device may have a wallet. */
function canHaveWallet(wallet: Wallet): boolean {
  return document.documentElement.dataset['wallets']?.split(' ').includes(wallet) === true;
}

/** The list as this device can use it. */
export function onThisDevice(list: MethodList): MethodList {
  const left = new Set(
    list.methods.flatMap(({ name, flags: { deviceWallet } }) =>
      deviceWallet === undefined || canHaveWallet(deviceWallet) ? [] : [name],
    ),
  );
  if (left.size === 0) return list;
  const groups = list.groups.map((group) => ({
    ...group,
    paymentMethods: group.paymentMethods.filter((name) => !left.has(name)),
  }));
  return {
    ...list,
    groups: groups.filter(({ paymentMethods }) => paymentMethods.length > 0),
    methods: list.methods.filter(({ name }) => !left.has(name)),
  };
}
