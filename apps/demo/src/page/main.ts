/** The page of the demo operator. */
import type { Cashier } from '@opencashier/embed';
import { followAccount } from './account-updates.ts';
import { activityLines, newsOf } from './activity.ts';
import { type Account, BackendError, backend, type Site } from './backend.ts';
import { createDemoCashier, type Direction, type Launch, launchCashier } from './cashier-launcher.ts';
import { type Choices, readChoices, writeChoices } from './choices.ts';
import { createCodeList } from './code-list.ts';
import { coinLines, isCoin } from './coin-lines.ts';
import { createDeveloperDrawer } from './developer-drawer.ts';
import { find } from './elements.ts';
import { looks } from './looks.ts';
import { createMessageLog } from './message-log.ts';
import { moneyText } from './money-text.ts';
import { walletCallLines } from './wallet-calls.ts';

const balance = find('balance', HTMLElement);
const held = find('held', HTMLElement);
const notice = find('notice', HTMLElement);
const title = find('wallet-title', HTMLElement);
const credits = find('credits', HTMLUListElement);
const ownWallet = find('own-wallet', HTMLElement);
const walletCalls = find('wallet-calls', HTMLUListElement);
const coins = find('coins', HTMLUListElement);
const play = find('play', HTMLButtonElement);
const accountSelect = find('account', HTMLSelectElement);
const buttons = ['deposit', 'withdraw', 'start-over', 'play'].map((id) => find(id, HTMLButtonElement));
const log = createMessageLog();
const codes = createCodeList();

let choices: Choices = readChoices(location.search);
let site: Site | undefined;
let account: Account | undefined;
let cashier: Cashier | undefined;
/** A cashier that was loaded before its button is pressed, and what it was made for. */
let prepared: { readonly cashier: Cashier; readonly purpose: string } | undefined;
let stopFollowing: (() => void) | undefined;

function choose(change: Partial<Choices>): void {
  choices = { ...choices, ...change };
  history.replaceState(null, '', `${location.pathname}${writeChoices(choices)}${location.hash}`);
  document.documentElement.dataset['theme'] = choices.theme;
  if (change.theme || change.look) cashier?.updateAppearance({ theme: choices.theme, ...looks[choices.look] });
}

const isSweepstake = (): boolean => choices.variant === 'sweep';
/** In the sweepstake variant the coin that can be redeemed. */
const shownCurrency = (of: Account | undefined): string =>
  isSweepstake() ? 'SC' : choices.currency || of?.user.currency || 'USD';

function shownBalance({ balances }: Account, currency: string): string {
  const shown = isSweepstake() ? ['GC', 'SC'] : [currency];
  // A line ends between two amounts, and not inside one.
  return shown.map((asset) => moneyText(balances[asset] ?? '0', asset).replaceAll(' ', '\u00a0')).join(', ');
}

function show(next: Account | undefined): void {
  const before = account;
  account = next;
  for (const button of buttons) button.disabled = !next;
  title.textContent = next ? `Good to see you, ${next.user.name}` : 'Sign in to play';
  accountSelect.value = next?.user.id ?? 'none';
  const currency = shownCurrency(next);
  balance.textContent = next ? shownBalance(next, currency) : '–';
  const waiting = next?.held[currency] ?? '0.00';
  const owed = next?.owed[currency] ?? '0.00';
  held.textContent = [
    ...(/[1-9]/.test(waiting) ? [`${moneyText(waiting, currency)} on hold`] : []),
    ...(/[1-9]/.test(owed) ? [`${moneyText(owed, currency)} owed`] : []),
  ].join(', ');
  credits.replaceChildren(...activityLines(next));
  walletCalls.replaceChildren(...walletCallLines(next?.walletCalls ?? []));
  coins.replaceChildren(...coinLines(next));
  // The cashier keeps coins: a site reports their play there, and its own wallet has none to lose.
  play.hidden = isCoin(currency);
  codes.show(next?.codes ?? []);
  if (next === undefined || before?.user.id !== next.user.id) {
    notice.textContent = '';
    return;
  }
  notice.textContent = newsOf(before, next) ?? notice.textContent;
}

async function refresh(): Promise<void> {
  try {
    const next = await backend.account();
    // The answer belongs to the user who was signed in before.
    if (next.user.id === account?.user.id) show(next);
  } catch (error) {
    if (error instanceof BackendError && error.status === 401) signedOut();
    // Anything else: the event stream comes back, or the next poll does.
  }
}

function signedOut(): void {
  stopFollowing?.();
  cashier?.destroy();
  takePrepared('');
  show(undefined);
}

async function signIn(user: string): Promise<void> {
  signedOut();
  try {
    if (user === 'none') {
      choose({ user });
      await backend.signOut();
      return;
    }
    const userId = user === 'new' ? `guest-${crypto.randomUUID().slice(0, 8)}` : user || (site?.users[0]?.id ?? '');
    const next = await backend.signIn(userId);
    choose({ user: userId === site?.users[0]?.id ? '' : userId });
    if (![...accountSelect.options].some(({ value }) => value === userId)) {
      accountSelect.add(new Option(`${next.user.name} ${userId.slice(6)}`, userId));
    }
    show(next);
    stopFollowing = followAccount(() => void refresh());
  } catch {
    notice.textContent = 'We could not sign you in. Try again in a moment.';
  }
}

function launchOf(direction: Direction): Launch | undefined {
  if (!site || !account) return undefined;
  const events = {
    onMessage: log.add,
    onDropped: log.setDropped,
    onNotice: (text: string) => {
      notice.textContent = text;
    },
    onClose: () => void refresh(),
  };
  return { site, account, choices, direction, place: find('inline-cashier', HTMLElement), events };
}

/** All that a cashier depends on. */
function purposeOf({ account: { user }, choices: chosen, direction }: Launch): string {
  return JSON.stringify([user, chosen, direction]);
}

/** Hands over the prepared cashier. One that was made for something else is removed. */
function takePrepared(purpose: string): Cashier | undefined {
  const taken = prepared;
  prepared = undefined;
  if (taken?.purpose === purpose) return taken.cashier;
  taken?.cashier.destroy();
  return undefined;
}

/** The user may be about to press the button: loads the cashier, hidden. */
function prepare(direction: Direction): void {
  const launch = launchOf(direction);
  if (!launch || choices.placement !== 'modal' || cashier?.isOpen) return;
  const purpose = purposeOf(launch);
  const taken = takePrepared(purpose);
  // What was loaded long ago has been given up.
  taken?.preload();
  const made =
    taken ??
    createDemoCashier(launch, (complete) => {
      // By now the user may have opened it, or chosen something else.
      if (prepared?.cashier === complete) complete.preload();
    });
  prepared = { cashier: made, purpose };
}

function openCashier(direction: Direction): void {
  const launch = launchOf(direction);
  if (!launch) return;
  cashier?.destroy();
  notice.textContent = '';
  cashier = launchCashier(launch, takePrepared(purposeOf(launch)));
}

async function start(): Promise<void> {
  choose({});
  for (const button of buttons) button.disabled = true;
  const deposit = find('deposit', HTMLButtonElement);
  deposit.onclick = () => openCashier('deposit');
  deposit.onpointerenter = () => prepare('deposit');
  deposit.onfocus = () => {
    // Not where a closed cashier has given the focus back after a press.
    if (deposit.matches(':focus-visible')) prepare('deposit');
  };
  find('withdraw', HTMLElement).onclick = () => openCashier('withdrawal');
  find('start-over', HTMLElement).onclick = () => {
    backend.startOver().then(show, () => {
      notice.textContent = 'That did not work. Try again in a moment.';
    });
  };
  play.onclick = () => {
    backend.play(shownCurrency(account)).then(show, (error: unknown) => {
      const isPoor = error instanceof BackendError && error.status === 409;
      notice.textContent = isPoor
        ? 'Your balance is too low for a round.'
        : 'That did not work. Try again in a moment.';
    });
  };
  accountSelect.onchange = () => void signIn(accountSelect.value);
  createDeveloperDrawer(
    find('developer', HTMLDialogElement),
    find('open-developer', HTMLElement),
    [codes.element, log.element],
    {
      onShown: log.showNewest,
      choices: () => choices,
      onChoice: (name, value) => {
        choose({ [name]: value });
        show(account);
      },
    },
  );
  try {
    site = await backend.site();
  } catch {
    notice.textContent = 'This site is not available right now. Reload the page in a moment.';
    return;
  }
  ownWallet.hidden = site.wallet === 'cashier';
  for (const { id, name, currency } of site.users) accountSelect.add(new Option(`${name}, ${currency}`, id));
  accountSelect.add(new Option('A new guest', 'new'));
  accountSelect.add(new Option('Nobody (signed out)', 'none'));
  await signIn(choices.user);
}

void start();
