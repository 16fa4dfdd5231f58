/** Shows one state at a time: the widget's components, themes and languages, with the services of the tests. */
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { createLocale } from '../src/app/locale/locale.ts';
import { productAt } from '../src/app/navigation/branches.ts';
import { App } from '../src/app/shell/app.tsx';
import { createPage } from '../src/app/shell/shell-services.ts';
import type { Texts } from '../src/kit/session/services.tsx';
import type { FixtureServices } from '../src/kit/session/services-fixture.ts';
import { selectProduct } from '../src/products/select-product.ts';
import unseen from '../src/ui/page/visually-hidden.module.css';
import { showLetters, showLook, showTexts } from './page-settings.ts';
import { type Settings, writeSettings } from './settings.ts';
import styles from './stage.module.css';
import type { ComponentState, GalleryState, StatePage, WidgetState } from './state.ts';
import { pageWith, untilAsMeant, untilStill } from './state-page.ts';
import { states } from './states.ts';

export interface Stage {
  /** Shows a state and waits until it no longer changes. @returns faults, such as missing texts and uncaught errors */
  show(settings: Settings): Promise<string[]>;
  /** Shows the current state in another language, theme or look, without opening it again. @returns faults, as `show` does */
  restyle(settings: Settings): Promise<string[]>;
}

/** A state that was opened. */
interface Opened {
  readonly page: StatePage;
  /** Draws the state again with other texts. */
  readonly redraw: (texts: Texts) => void;
}

export function createStage(place: HTMLElement): Stage {
  const page = document.documentElement;
  let root: Root | undefined;
  let faults: string[] = [];
  let stopLook = (): void => {};
  let redraw = (_texts: Texts): void => {};
  const note = (fault: string): void => void faults.push(fault);
  const locale = createLocale({
    built: import.meta.env.LOCALES,
    base: '/',
    fetch: (file) => fetch(file),
    report: note,
  });
  window.addEventListener('error', ({ message }) => note(message));
  window.addEventListener('unhandledrejection', ({ reason }) => note(String(reason)));
  // No state leaves the gallery.
  window.open = () => null;

  const restyle = async (settings: Settings) => {
    stopLook();
    stopLook = showLook(page, settings);
    const texts = await showTexts(page, locale, settings);
    await showLetters(page, settings);
    return texts;
  };

  const open = async (state: GalleryState, settings: Settings) => {
    root?.unmount();
    faults = [];
    root = createRoot(clearPage(place));
    const texts = await restyle(settings);
    const opened = isWidget(state)
      ? await openWidget(root, state, texts, settings, note)
      : openComponent(root, state, texts);
    redraw = opened.redraw;
    await opened.page.pass(0);
    try {
      await state.after?.(opened.page);
    } catch (error) {
      note(String(error));
    }
  };

  const known = new Set<string>();
  return {
    async show(settings) {
      const state = states.find(({ id }) => id === settings.state);
      if (state === undefined) throw new Error(`There is no state ${settings.state}.`);
      // React shows loaded content 300 ms after a skeleton at the earliest. On the second opening everything is loaded.
      if (!known.has(state.id)) await open(state, settings);
      known.add(state.id);
      await open(state, settings);
      if (!(await untilAsMeant(state))) note(`It ${state.isWaiting ? 'shows no' : 'still shows a'} skeleton.`);
      await untilStill();
      window.scrollTo(0, 0);
      return faults;
    },
    async restyle(settings) {
      const texts = await restyle(settings);
      flushSync(() => redraw(texts));
      return faults;
    },
  };
}

const isWidget = (state: GalleryState): state is WidgetState => 'at' in state;

/** Removes what the last state left in storage and on the page. @returns an empty element for the next state */
function clearPage(place: HTMLElement): HTMLElement {
  sessionStorage.clear();
  localStorage.clear();
  for (const child of [...document.body.children]) {
    if (child !== place && child.localName !== 'script') child.remove();
  }
  const onto = document.createElement('div');
  place.replaceChildren(onto);
  return onto;
}

/** Opens the widget at the address of a state. @param note gets the faults that the widget reports as unexpected */
async function openWidget(
  onto: Root,
  state: WidgetState,
  texts: Texts,
  settings: Settings,
  note: (fault: string) => void,
): Promise<Opened> {
  for (const [name, value] of Object.entries(state.tab ?? {})) sessionStorage.setItem(name, value);
  for (const [name, value] of Object.entries(state.device ?? {})) localStorage.setItem(name, value);
  const services = state.services();
  const { formatLocale } = services.texts.getState();
  const redraw = (own: Texts) =>
    services.texts.setState({ ...own, formatLocale: own.locale === 'en' ? formatLocale : own.locale }, true);
  redraw(texts);
  const { basePath, payload } = services.session.getState();
  history.replaceState(state.handed ?? null, '', `${basePath}${state.at}#${writeSettings(settings)}`);
  const product = await selectProduct(payload.widgetViewType);
  const { routes } = await productAt(product, state.at.replace(/[?#].*/, ''));
  const sources = routes.flatMap(({ screen, sheet }) => [screen, sheet?.screen]);
  await Promise.all(sources.map((source) => (typeof source === 'function' ? source() : undefined)));
  tick(services);
  const page = createPage({
    ...services,
    post(message) {
      if (message.messageType === 'error' && message.payload.code === 'unexpected') note(message.payload.message);
      return services.post(message);
    },
  });
  onto.render(<App page={page} product={product} />);
  return { page: pageWith((ms) => services.clock.advanceAsync(ms)), redraw };
}

let ticking: number | undefined;

/** Runs due timers of the test clock, which stands still, for parts that are loaded later. */
function tick({ clock }: FixtureServices): void {
  clearInterval(ticking);
  ticking = window.setInterval(() => clock.advance(0), 100);
}

function openComponent(onto: Root, state: ComponentState, texts: Texts): Opened {
  history.replaceState(null, '', location.href);
  const redraw = (own: Texts) =>
    onto.render(
      <main className={styles['component']}>
        {/* Accessibility rules want a heading on every screen. */}
        <h1 className={unseen['hidden']}>{state.id}</h1>
        {state.show(own)}
      </main>,
    );
  redraw(texts);
  return { page: pageWith(async () => undefined), redraw };
}
