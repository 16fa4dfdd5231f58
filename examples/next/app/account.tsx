'use client';
import { Cashier } from '@opencashier/embed/react';
import { useEffect, useState } from 'react';

export interface Site {
  readonly cashierUrl: string;
  readonly partner: string;
  readonly user: { readonly id: string; readonly currency: string; readonly country: string };
}

async function ask(path: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(path, init);
  // Without this check the text of an error would be taken for a token.
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer;
}

const getToken = async () => (await ask('/api/cashier-token', { method: 'POST' })).text();

export function Account({ cashierUrl, partner, user }: Site) {
  const [screen, setScreen] = useState<'/deposit' | '/withdrawal'>('/deposit');
  const [isOpen, setOpen] = useState(false);
  const [balance, setBalance] = useState('');
  useEffect(() => {
    if (isOpen) return;
    ask('/api/balance')
      .then((answer) => answer.json())
      .then(({ balance, currency }) => setBalance(`${balance} ${currency}`), console.error);
  }, [isOpen]);
  const show = (path: typeof screen) => {
    setScreen(path);
    setOpen(true);
  };
  return (
    <main>
      <p>Balance: {balance}</p>
      <button type="button" onClick={() => show('/deposit')}>
        Deposit
      </button>
      <button type="button" onClick={() => show('/withdrawal')}>
        Withdraw
      </button>
      <Cashier
        cashierUrl={cashierUrl}
        partner={partner}
        mode="modal"
        path={screen}
        open={isOpen}
        payload={{ userId: user.id, currency: user.currency, paymentGeo: user.country }}
        getToken={getToken}
        onClose={() => setOpen(false)}
        onProblem={({ code, message }) => console.warn(`${code}: ${message}`)}
      />
    </main>
  );
}
