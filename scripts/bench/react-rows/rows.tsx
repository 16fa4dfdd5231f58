/** The comparison page: React and twelve rows like the cashier's, without requests and without messages to a host. */
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
  return (
    <main>
      <h1>Deposit method</h1>
      {names.map((name) => (
        <button key={name} type="button">
          <b>{name}</b> <span>from $5</span>
        </button>
      ))}
    </main>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<Rows />);
