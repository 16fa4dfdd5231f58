/** A frame that is loaded before the cashier is opened. The page sees and hears nothing of it. */
import { openChannel } from './channel.ts';
import { cashierAddress, createFrame, type FrameOptions } from './frame.ts';
import type { Modal } from './modal.ts';
import type { Settings } from './options.ts';
import { placeFrame } from './place.ts';
import type { PageMessage } from './read-widget-message.ts';

/** How long a frame is kept. Then its list and its texts may be out of date. */
const keptMs = 10 * 60_000;
/** How long it may take to load. Later it counts as lost, and an opening makes its own. */
const loadingMs = 15_000;

/**
 * An invisible box keeps its size, so that the browser loads the frame and lays it out. No key, pointer or screen reader finds
 * it, and a fixed box takes no place in the page.
 */
const hiddenStyle = ';display:block;position:fixed;inset:0;visibility:hidden';

export interface Preloaded {
  readonly frame: HTMLIFrameElement;
  /** The widget's `Loaded`, which waits for an answer. */
  readonly greeting: PageMessage | undefined;
  /** Shows the frame in its place. From now on only the opening hears it. */
  show(): void;
  /** Loads the usual widget into the frame. @returns whether it was not the usual one before */
  reload(): boolean;
}

export interface Preloader {
  /** Loads a frame for these settings, unless there is one. @throws TypeError when the page has no such container */
  preload(settings: Settings): void;
  /** Loads another frame in place of one that these settings no longer fit. */
  renew(settings: Settings): void;
  /** @returns the frame, if an opening with these options may use it; any other frame is removed */
  take(options: FrameOptions): Preloaded | undefined;
  /** Removes the frame. */
  end(): void;
}

/** Holds at most one frame, in the dialog if there is one, else in the container. */
export function createPreloader(modal: Modal | undefined): Preloader {
  let held: ReturnType<typeof load> | undefined;

  function preload(settings: Settings): void {
    if (held?.fits(settings)) return;
    end();
    held = load(settings, modal);
  }

  function end(): void {
    held?.end();
    held = undefined;
  }

  return {
    preload,
    end,
    renew(settings) {
      if (held?.frame.isConnected) preload(settings);
    },
    take(options) {
      if (!held?.fits(options)) end();
      const taken = held;
      held = undefined;
      return taken;
    },
  };
}

/** The frame is hidden at the place where it will be shown, because a browser loads a frame again when it is moved. */
function load(settings: Settings, modal: Modal | undefined) {
  const { origin, href } = cashierAddress(settings);
  const frame = createFrame(settings, '&preload=1');
  const box = modal?.element ?? frame;
  const shownStyle = box.style.cssText;
  placeFrame(frame, settings, modal);
  box.style.cssText += hiddenStyle;
  // A script in the frame cannot take the focus either.
  box.inert = true;
  let usableUntil = Date.now() + loadingMs;
  const timer = setTimeout(end, keptMs);
  const channel = openChannel(frame, origin, (message) => {
    if (message.messageType === 'Loaded') {
      preloaded.greeting = message;
      usableUntil = Date.now() + keptMs;
    }
    // A widget that is older than this build does not wait for an opening, but gives up.
    if (message.messageType === 'init') end();
  });

  function show(): void {
    clearTimeout(timer);
    channel.close();
    box.inert = false;
    box.style.cssText = shownStyle;
  }

  function end(): void {
    show();
    frame.remove();
    modal?.hide();
  }

  const preloaded = {
    frame,
    greeting: undefined as PageMessage | undefined,
    show,
    reload() {
      if (frame.src === href) return false;
      // A frame that is put back has a new history, so the page's Back button does not lead into it.
      const place = new Comment();
      frame.replaceWith(place);
      frame.src = href;
      place.replaceWith(frame);
      return true;
    },
    // A timer may be late, as after a sleep of the device.
    fits: (options: FrameOptions) =>
      frame.isConnected && Date.now() < usableUntil && cashierAddress(options).href === href,
    end,
  };
  return preloaded;
}
