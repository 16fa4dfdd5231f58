import { Cashier } from '@opencashier/embed/react';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { getToken, readBalance, readSite, type Site } from './site.ts';

function Account({ cashierUrl, partner, user }: Site) {
  const [isOpen, setOpen] = useState(false);
  const [isLikely, setLikely] = useState(false);
  const [balance, setBalance] = useState('');
  useEffect(() => {
    // The balance changes on the webhook. A closed cashier is a good moment to read it again.
    if (!isOpen) readBalance().then(setBalance, console.error);
  }, [isOpen]);
  return (
    <main>
      <p>Balance: {balance}</p>
      <button type="button" onPointerEnter={() => setLikely(true)} onClick={() => setOpen(true)}>
        Deposit
      </button>
      <Cashier
        cashierUrl={cashierUrl}
        partner={partner}
        mode="modal"
        open={isOpen}
        preload={isLikely}
        payload={{ userId: user.id, currency: user.currency, paymentGeo: user.country }}
        getToken={getToken}
        onClose={() => setOpen(false)}
        onProblem={({ code, message }) => console.warn(`${code}: ${message}`)}
      />
    </main>
  );
}

const place = document.querySelector('#app');
if (place) createRoot(place).render(<Account {...(await readSite())} />);
