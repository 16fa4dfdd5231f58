/**
 * What any shell around a web view runs in the cashier's page before the page's own scripts, with the four values filled in. It
 * does nothing on any other page, so that neither the bridge nor the token is ever seen by one.
 *
 * @param {string} cashierOrigin where the cashier lives, such as `https://pay.example.com`
 * @param {object} payload what `loaded` carries, with the token
 * @param {(json: string) => void} take hears what the cashier says, as JSON text
 * @param {() => Promise<object>} renew answers the payload with a fresh token of the same user
 */
// biome-ignore lint/correctness/noUnusedVariables: the shell calls it
function hostCashier(cashierOrigin, payload, take, renew) {
  if (window !== window.top || location.origin !== cashierOrigin) return;
  window.cashierBridge = async (json) => {
    take(json);
    if (JSON.parse(json).messageType !== 'token-expired') return;
    // The page's own window is the one that it listens to in an app.
    window.postMessage({ messageType: 'loaded', payload: await renew() }, location.origin);
  };
  // Polled every 10 ms for 5 s, read once and taken away.
  window.cashierPayload = payload;
}
