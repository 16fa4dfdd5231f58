/**
 * The comparison page: React and twelve rows like the cashier's, without requests and without messages to a host. A tap shows a
 * plain form.
 */
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const names = [
  'Bank card',
  'UPI',
  'PhonePe',
  'Paytm',
  'NetBanking',
  'IMPS',
  'Skrill',
  'Neteller',
  'BTC',
  'ETH',
  'USDT',
  'Cash',
];

function Rows() {
  const [chosen, setChosen] = useState<string>();
  if (chosen !== undefined) return <Form method={chosen} />;
  return (
    <main key="list">
      <h1>Deposit method</h1>
      {names.map((name) => (
        <button key={name} type="button" data-part="tile" aria-labelledby={name} onClick={() => setChosen(name)}>
          <b id={name}>{name}</b> <span>from $5</span>
        </button>
      ))}
    </main>
  );
}

function Form({ method }: { readonly method: string }) {
  const [amount, setAmount] = useState('');
  return (
    <main key="form">
      <form>
        <h2>{method}</h2>
        <label>
          Amount <input inputMode="decimal" value={amount} onChange={(event) => setAmount(event.target.value)} />
        </label>
        <p>from $5 to $5,000</p>
        {['25', '50', '100', '250'].map((chip) => (
          <button key={chip} type="button" onClick={() => setAmount(chip)}>
            {chip}
          </button>
        ))}
        <button type="submit">Deposit {amount}</button>
      </form>
    </main>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<Rows />);
