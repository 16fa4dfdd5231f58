/** The page of an operator without a bundler. */
/* global OpenCashier */
async function ask(path, init) {
  const answer = await fetch(path, init);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer;
}

const notice = document.querySelector('#notice');

async function showBalance() {
  const { balance, currency } = await (await ask('/api/balance')).json();
  document.querySelector('#balance').value = `${balance} ${currency}`;
}

const { cashierUrl, partner, user } = await (await ask('/api/site')).json();
await showBalance();
const cashier = OpenCashier.createCashier({
  cashierUrl,
  partner,
  mode: 'modal',
  payload: { userId: user.id, currency: user.currency, paymentGeo: user.country },
  getToken: async () => (await ask('/api/cashier-token', { method: 'POST' })).text(),
  onClose: showBalance,
  onProblem: ({ code, message }) => {
    console.warn(`${code}: ${message}`);
    notice.textContent = 'The cashier could not be opened. Try again in a moment.';
  },
});
document.querySelector('#deposit').onclick = () => cashier.open();
