/** Where one state is shown at a time: the widget's own components, its themes and its languages, with services of the tests. */
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { createLocale } from '../src/app/locale/locale.ts';
import { showAppearance } from '../src/app/look/appearance.ts';
import { createLookParts, withPreset } from '../src/app/look/look-parts.ts';
import { applyTheme } from '../src/app/look/theme.ts';
import { productAt } from '../src/app/navigation/branches.ts';
import { App } from '../src/app/shell/app.tsx';
import { createPage } from '../src/app/shell/shell-services.ts';
import type { Texts } from '../src/kit/session/services.tsx';
import { selectProduct } from '../src/products/select-product.ts';
import skeleton from '../src/ui/page/skeleton.module.css';
import unseen from '../src/ui/page/visually-hidden.module.css';
import { blocksFamily, blocksFont } from './blocks-font.ts';
import { lookParts, looks, type Settings, writeSettings } from './settings.ts';
import styles from './stage.module.css';
import type { ComponentState, GalleryState, StatePage, WidgetState } from './state.ts';
import { states } from './states.ts';

export interface Stage {
  /** Shows a state until it stands still. Answers what went wrong: texts that are missing, parts that broke. */
  show(settings: Settings): Promise<string[]>;
  /** The state that is shown, as it stands, in another language, theme or look: nothing is opened again. Answers as `show` does. */
  dress(settings: Settings): Promise<string[]>;
}

export function createStage(place: HTMLElement): Stage {
  let root: Root | undefined;
  let faults: string[] = [];
  let stopLook = (): void => {};
  let ticking: number | undefined;
  let speak = (_texts: Texts): void => {};
  const locale = createLocale({
    built: import.meta.env.LOCALES,
    base: '/',
    fetch: (file) => fetch(file),
    report: (message) => faults.push(message),
  });
  window.addEventListener('error', ({ message }) => faults.push(message));
  window.addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason)));
  // No state leaves the gallery.
  window.open = () => null;

  const clear = () => {
    root?.unmount();
    faults = [];
    sessionStorage.clear();
    localStorage.clear();
    for (const child of [...document.body.children]) {
      if (child !== place && child.localName !== 'script') child.remove();
    }
    const page = document.createElement('div');
    place.replaceChildren(page);
    root = createRoot(page);
    return root;
  };

  const dress = async (settings: Settings) => {
    const page = document.documentElement;
    stopLook();
    page.removeAttribute('style');
    applyTheme({ root: page, prefersDark: matchMedia('(prefers-color-scheme: dark)') }, settings.theme);
    const more = lookParts[settings.look];
    const appearance = withPreset({ variables: looks[settings.look], ...more });
    const say = (message: string) => console.info(message);
    // As the widget does it: nobody moves its own colours, so that what they lack is seen.
    stopLook =
      Object.keys(appearance.variables).length === 0
        ? () => {}
        : showAppearance(page, appearance, (_code, message) => say(message), more && createLookParts(appearance, say));
    await locale.show(settings.locale);
    const own = locale.texts.get();
    const texts = { ...own, direction: settings.direction === 'auto' ? own.direction : settings.direction };
    page.lang = texts.locale;
    page.dir = texts.direction;
    page.style.fontSize = settings.text === 100 ? '' : `${settings.text}%`;
    page.classList.toggle(styles['still'] ?? '', settings.motion === 'reduced' || settings.blocks);
    page.classList.toggle(styles['blocks'] ?? '', settings.blocks);
    if (settings.blocks) await loadBlocks();
    return texts;
  };

  const known = new Set<string>();
  const open = async (state: GalleryState, settings: Settings) => {
    const onto = clear();
    const texts = await dress(settings);
    const opened = isWidget(state) ? await openWidget(onto, state, texts, settings) : openComponent(onto, state, texts);
    await opened.pass(0);
    try {
      await state.after?.(opened);
    } catch (error) {
      faults.push(String(error));
    }
  };

  return {
    async show(settings) {
      const state = states.find(({ id }) => id === settings.state);
      if (state === undefined) throw new Error(`There is no state ${settings.state}.`);
      // React shows what it has to wait for no sooner than 300 ms after a skeleton: the second time there is nothing to wait for.
      if (!known.has(state.id)) await open(state, settings);
      known.add(state.id);
      await open(state, settings);
      if (!(await settled(state))) faults.push(`It ${state.isWaiting ? 'shows no' : 'still shows a'} skeleton.`);
      await stillness();
      window.scrollTo(0, 0);
      return faults;
    },
    async dress(settings) {
      const texts = await dress(settings);
      flushSync(() => speak(texts));
      return faults;
    },
  };

  async function openWidget(onto: Root, state: WidgetState, texts: Texts, settings: Settings): Promise<StatePage> {
    for (const [name, value] of Object.entries(state.tab ?? {})) sessionStorage.setItem(name, value);
    for (const [name, value] of Object.entries(state.device ?? {})) localStorage.setItem(name, value);
    const services = state.services();
    const { formatLocale } = services.texts.get();
    speak = (own) => services.texts.set({ ...own, formatLocale: own.locale === 'en' ? formatLocale : own.locale });
    speak(texts);
    const { basePath, payload } = services.session.get();
    history.replaceState(state.handed ?? null, '', `${basePath}${state.at}#${writeSettings(settings)}`);
    const product = await selectProduct(payload.widgetViewType);
    const { routes } = await productAt(product, state.at.replace(/[?#].*/, ''));
    const sources = routes.flatMap(({ screen, sheet }) => [screen, sheet?.screen]);
    await Promise.all(sources.map((source) => (typeof source === 'function' ? source() : undefined)));
    // A part that is loaded later may wait for its next turn, though time stands still.
    clearInterval(ticking);
    ticking = window.setInterval(() => services.clock.advance(0), 100);
    const page = createPage({
      ...services,
      post(message) {
        if (message.messageType === 'error' && message.payload.code === 'unexpected')
          faults.push(message.payload.message);
        return services.post(message);
      },
    });
    onto.render(<App page={page} product={product} />);
    return pageWith((ms) => services.clock.advanceAsync(ms));
  }

  function openComponent(onto: Root, state: ComponentState, texts: Texts): StatePage {
    history.replaceState(null, '', location.href);
    speak = (own) =>
      onto.render(
        <main className={styles['component']}>
          {/* A component stands on a screen, and a screen has its heading. */}
          <h1 className={unseen['hidden']}>{state.id}</h1>
          {state.show(own)}
        </main>,
      );
    speak(texts);
    return pageWith(async () => undefined);
  }
}

const isWidget = (state: GalleryState): state is WidgetState => 'at' in state;

/** React shows a part that came late when what it showed before has stood for a while. */
const longestFrames = 120;

function pageWith(advance: (ms: number) => Promise<void>): StatePage {
  const pass = async (ms: number) => {
    await advance(ms);
    // React draws, effects run, what they asked for is answered.
    for (let turn = 0; turn < 4; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      await advance(0);
    }
  };
  const find = (selector: string): HTMLElement => {
    const element = document.querySelector<HTMLElement>(selector);
    if (element === null) throw new Error(`The state has no ${selector}.`);
    return element;
  };
  return {
    pass,
    async see(selector) {
      for (let frame = 0; frame < longestFrames && document.querySelector(selector) === null; frame += 1)
        await new Promise((resolve) => requestAnimationFrame(resolve));
      find(selector);
    },
    async press(selector) {
      find(selector).click();
      await pass(0);
    },
    async type(selector, text) {
      const element = find(selector);
      const kind = element instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement;
      // React watches the property of the element; the prototype's setter is what a keyboard would go through.
      Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(element, text);
      element.dispatchEvent(new Event(kind === HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
      await pass(0);
    },
  };
}

/**
 * Waits until what is shown is what is meant: how many frames React and the fixtures take is the machine's affair, and a skeleton
 * says of itself that something is still to come. False when it never is.
 */
async function settled({ isWaiting }: GalleryState): Promise<boolean> {
  const isAsMeant = () => (document.querySelector(`.${skeleton['skeleton']}`) !== null) === (isWaiting === true);
  for (let frame = 0; frame < longestFrames && !isAsMeant(); frame += 1)
    await new Promise((resolve) => requestAnimationFrame(resolve));
  return isAsMeant();
}

/** Two frames after the last change, with every drawing there or given up. */
async function stillness(): Promise<void> {
  // What is loaded when it comes into sight never would.
  for (const image of document.images) image.loading = 'eager';
  await Promise.all(
    [...document.images].map(
      (image) =>
        image.complete ||
        new Promise((resolve) => {
          image.addEventListener('load', resolve, { once: true });
          image.addEventListener('error', resolve, { once: true });
        }),
    ),
  );
  await document.fonts.ready;
  for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
}

let blocks: Promise<FontFace> | undefined;

function loadBlocks(): Promise<FontFace> {
  blocks ??= new FontFace(blocksFamily, blocksFont(), { weight: '1 1000' }).load().then((face) => {
    document.fonts.add(face);
    return face;
  });
  return blocks;
}
