import { useTexts } from '../session/services.tsx';
import { Summary } from '../withdrawal/summary.tsx';
import type { Redeemable } from './coin-balances.ts';
import { coinText, hasCoins } from './coin-text.ts';

/** The balance of sweep coins, the part that must still be played, and the part that can be redeemed (SWP-2). */
export function RedeemableCard({ coins }: { readonly coins: Redeemable }) {
  const texts = useTexts();
  const { translate } = texts;
  const line = (id: string, title: string, amount: string, isMain = false) => ({
    id,
    title: translate(title),
    value: coinText('SC', amount, texts),
    isMain,
  });
  return (
    <Summary
      rows={[
        line('balance', 'redemption.balance', coins.balance),
        ...(hasCoins(coins.unplayed) ? [line('unplayed', 'redemption.unplayed', coins.unplayed)] : []),
        line('redeemable', 'redemption.redeemable', coins.redeemable, true),
      ]}
    />
  );
}
