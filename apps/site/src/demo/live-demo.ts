/** The live demo: the cashier of a demo operator in its sandbox, and the messages that it exchanges with this page. */
import { type Cashier, createCashier, type LoggedMessage } from '@opencashier/embed';

const keptLines = 200;
const patienceMs = 5_000;

/** What the demo operator gives to a page of another site. Its keys stay on its backend. */
interface GuestToken {
  readonly cashierUrl: string;
  readonly partner: string;
  readonly userId: string;
  readonly currency: string;
  readonly country: string;
  readonly token: string;
}

let cashier: Cashier | undefined;
/** Counts the presses: a late token of an earlier one opens no second cashier. */
let newest = 0;

/** Fills the page with the cashier, or says how to start the demo operator. */
export function startDemo(): void {
  const demo = find('demo');
  const demoUrl = demo.dataset['demoUrl'] ?? '';
  const buttons = [...demo.querySelectorAll<HTMLButtonElement>('button[data-path]')];
  let path = '/deposit';
  const begin = () => void show(demoUrl, path);
  for (const button of buttons) {
    button.onclick = () => {
      path = button.dataset['path'] ?? path;
      for (const each of buttons) each.ariaPressed = String(each === button);
      begin();
    };
  }
  find('demo-again').onclick = begin;
  new MutationObserver(() => cashier?.updateAppearance({ theme: themeOfSite() })).observe(document.documentElement, {
    attributeFilter: ['data-theme'],
  });
  begin();
}

async function show(demoUrl: string, path: string): Promise<void> {
  cashier?.destroy();
  cashier = undefined;
  newest += 1;
  const mine = newest;
  const guest = guestOfThisTab();
  try {
    const first = await askToken(demoUrl, guest);
    if (mine !== newest) return;
    setState(`Signed in as ${first.userId} at ${first.partner}.`, false);
    open(first, path, async () => (await askToken(demoUrl, guest)).token);
  } catch (error) {
    if (mine === newest) setState(error instanceof Error ? error.message : 'The demo operator does not answer.', true);
  }
}

function open(site: GuestToken, path: string, getToken: () => Promise<string>): void {
  const theme = themeOfSite();
  cashier = createCashier({
    cashierUrl: site.cashierUrl,
    partner: site.partner,
    container: '#demo-cashier',
    path,
    theme,
    locale: 'en',
    payload: {
      userId: site.userId,
      partnerKey: site.partner,
      host: location.origin,
      currency: site.currency,
      paymentGeo: site.country,
      locale: 'en',
      appearance: { theme },
      // The sandbox's own captcha.
      schema: { meta: { geetestCaptchaId: 'sandbox-captcha' }, assets: {} },
    },
    getToken,
    onMessage: addLine,
    onProblem: ({ code, message }) => setState(`${code}: ${message}`, false),
    onTimeout: () => setState('The cashier does not answer. It may refuse this site as a host.', true),
    onTokenFailed: () => setState('The demo operator gave no token.', true),
    onClose: () => setState('The cashier was closed. Press Deposit to open it again.', false),
  });
}

/** @throws with words for the reader when the demo operator does not answer */
async function askToken(demoUrl: string, userId: string): Promise<GuestToken> {
  const answer = await fetch(`${demoUrl}/open/guest-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId }),
    signal: AbortSignal.timeout(patienceMs),
  }).catch(() => undefined);
  if (answer === undefined) throw new Error('The demo operator does not answer.');
  if (!answer.ok) throw new Error(`The demo operator refused a token (${answer.status}).`);
  return (await answer.json()) as GuestToken;
}

/** The same guest for as long as the tab is open, so that a deposit stays visible. */
function guestOfThisTab(): string {
  const known = sessionStorage.getItem('demo-guest');
  if (known !== null) return known;
  const made = `guest-${crypto.randomUUID().slice(0, 8)}`;
  sessionStorage.setItem('demo-guest', made);
  return made;
}

function setState(text: string, isAway: boolean): void {
  find('demo-state').textContent = text;
  find('demo-away').hidden = !isAway;
  const both = document.querySelector<HTMLElement>('.side-by-side');
  if (both !== null) both.hidden = isAway;
}

function addLine({ direction, messageType, payload }: LoggedMessage): void {
  const list = find('demo-log');
  const line = document.createElement('li');
  const type = document.createElement('code');
  const details = document.createElement('pre');
  type.textContent = messageType;
  details.textContent = JSON.stringify(payload ?? {}, null, 1).replace(/\n\s*/g, ' ');
  line.append(direction === 'to-cashier' ? '→ to the cashier ' : '← from the cashier ', type, details);
  list.append(line);
  while (list.childElementCount > keptLines) list.firstElementChild?.remove();
  list.scrollTop = list.scrollHeight;
}

const themeOfSite = (): 'dark' | 'light' => (document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light');

function find(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`This page has no element ${id}.`);
  return element;
}
