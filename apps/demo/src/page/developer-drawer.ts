/** The developer's drawer: what the cashier is started with, and what is said over the bridge. */
import { type ChoiceName, type Choices, choiceLists } from './choices.ts';
import { make } from './elements.ts';
import { languageName } from './language-name.ts';

const labels: Record<ChoiceName, string> = {
  variant: 'Variant',
  locale: 'Locale',
  currency: 'Currency',
  country: 'Country',
  theme: 'Theme',
  look: 'Look',
  platform: 'Platform',
  transport: 'Transport',
  placement: 'Placement',
};

const words: Partial<Record<ChoiceName, Record<string, string>>> = {
  variant: { main: 'Main', cryptobalance: 'Crypto balance', sweep: 'Sweepstake' },
  currency: { '': 'The user’s own' },
  country: { '': 'The user’s own' },
  look: { own: 'The cashier’s own', plum: 'Plum', paper: 'Paper' },
  theme: { auto: 'Auto', light: 'Light', dark: 'Dark' },
  platform: { web: 'Web', iframe: 'Iframe', webview: 'Web view', pwa: 'PWA', android: 'Android', ios: 'iOS' },
  transport: { socket: 'Socket', http: 'HTTP' },
  placement: { modal: 'Over the page', inline: 'In the page', fitted: 'In the page, with automatic height' },
};

/** The hosts that a browser can show; the sources of the others lie beside them. */
const referenceHosts = {
  '/hosts/iframe.html': 'Iframe',
  '/hosts/popup.html': 'Pop-up',
  '/hosts/pwa/': 'Installed app',
};

const regionNames = new Intl.DisplayNames('en', { type: 'region' });

function textOf(name: ChoiceName, value: string): string {
  const word = words[name]?.[value];
  if (word !== undefined) return word;
  if (name === 'locale') return languageName(value);
  if (name === 'country') return regionNames.of(value) ?? value;
  return value;
}

/** Fills the drawer when it is opened; `onChoice` hears of every change. */
export function createDeveloperDrawer(
  dialog: HTMLDialogElement,
  opener: HTMLElement,
  sections: readonly HTMLElement[],
  options: { choices: () => Choices; onChoice: (name: ChoiceName, value: string) => void; onShown: () => void },
): void {
  const close = () => {
    dialog.close();
    // Its texts would be found by a search for what is on the page.
    dialog.replaceChildren();
    opener.setAttribute('aria-expanded', 'false');
    opener.focus();
  };
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });
  opener.setAttribute('aria-expanded', 'false');
  opener.addEventListener('click', () => {
    if (dialog.open) {
      close();
      return;
    }
    const title = make('h2', { id: 'developer-title', tabindex: '-1' }, 'Developer');
    const exit = make('button', { type: 'button', class: 'icon', 'aria-label': 'Close developer drawer' }, '✕');
    exit.onclick = close;
    const fields = (Object.keys(labels) as ChoiceName[]).map((name) => {
      const select = make('select');
      for (const value of choiceLists[name]) select.append(new Option(textOf(name, value), value));
      select.value = options.choices()[name];
      select.onchange = () => options.onChoice(name, select.value);
      return make('label', { class: 'choice' }, make('span', {}, labels[name]), select);
    });
    dialog.replaceChildren(
      make('div', { class: 'row' }, title, exit),
      make(
        'p',
        { class: 'small' },
        'Theme and look change at once. Other settings apply when you next open the cashier. The address keeps them all.',
      ),
      make('div', { class: 'choices' }, ...fields),
      make(
        'nav',
        { class: 'hosts', 'aria-label': 'Reference hosts' },
        ...Object.entries(referenceHosts).map(([href, text]) => make('a', { href }, text)),
      ),
      ...sections,
    );
    // Beside the page, not over it: the cashier can be watched together with its messages.
    dialog.show();
    options.onShown();
    opener.setAttribute('aria-expanded', 'true');
    title.focus();
  });
}
