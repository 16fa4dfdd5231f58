/** The code of `deposit()` and `withdraw()`, which only some pages use. */
const load = () => import('./payments.ts');
let loading: ReturnType<typeof load> | undefined;

/**
 * Loads the code of payments with the first payment, and again after a failure. Payments begin in the order of their calls: all
 * calls use one import, because a browser may finish two imports in any order.
 */
export function loadPayments(): ReturnType<typeof load> {
  loading = loading ? loading.catch(load) : load();
  return loading;
}
