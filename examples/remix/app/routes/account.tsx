import { Cashier } from '@opencashier/embed/react';
import { useState } from 'react';
import { useLoaderData, useRevalidator } from 'react-router';
import { balanceOf } from '../book.server';
import { settings, user } from '../site.server';

/** The page gets the partner and the user, never the key. */
export function loader() {
  const { cashierUrl, partner } = settings();
  return { cashierUrl, partner, user, balance: balanceOf(user) };
}

async function getToken(): Promise<string> {
  const answer = await fetch('/api/cashier-token', { method: 'POST' });
  // Without this check the text of an error would be taken for a token.
  if (!answer.ok) throw new Error(`The token endpoint answered ${answer.status}`);
  return answer.text();
}

export default function Account() {
  const { cashierUrl, partner, user, balance } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [isOpen, setOpen] = useState(false);
  return (
    <main>
      <p>
        Balance: {balance} {user.currency}
      </p>
      <button type="button" onClick={() => setOpen(true)}>
        Deposit
      </button>
      <Cashier
        cashierUrl={cashierUrl}
        partner={partner}
        mode="modal"
        open={isOpen}
        payload={{ userId: user.id, currency: user.currency, paymentGeo: user.country }}
        getToken={getToken}
        onClose={() => {
          setOpen(false);
          // The webhook has changed the balance, so the loader reads it again.
          revalidate();
        }}
        onProblem={({ code, message }) => console.warn(`${code}: ${message}`)}
      />
    </main>
  );
}
