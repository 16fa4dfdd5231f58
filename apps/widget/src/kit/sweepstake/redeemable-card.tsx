import { useTexts } from '../session/services.tsx';
import { Summary } from '../withdrawal/summary.tsx';
import type { Redeemable } from './coin-balances.ts';
import { coinText, hasCoins } from './coin-text.ts';

/** What there is in sweep coins, what of it must still be played, and what can be redeemed (SWP-2). */
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
