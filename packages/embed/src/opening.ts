/** One opening of the cashier: from the creation of its frame until the frame is removed. */
import { type Conversation, type ConversationContext, openConversation } from './conversation.ts';
import type { Symptom } from './doctor.ts';
import { createFrame } from './frame.ts';
import type { Modal } from './modal.ts';
import type { Start } from './payments.ts';
import { placeFrame } from './place.ts';
import type { Preloaded } from './preloaded.ts';
import type { PageMessage } from './read-widget-message.ts';
import type { Ready } from './ready.ts';

/** Integer version of the protocol that this build speaks. */
const spokenProtocol = 1;
/** How long the page waits for `Loaded`. */
const patienceMs = 15_000;
/** How long the widget may take to close before the modal shows its own button. */
const closingMs = 5_000;

/** What the page has asked for with `deposit()` or `withdraw()`. */
export interface AskedPayment {
  readonly start: Start;
  /** Called when the cashier is gone. After the payment has ended, a call has no effect. */
  readonly onEnd: () => void;
}

/** What an opening gets from the cashier that it belongs to. */
export interface OpeningContext extends ConversationContext {
  readonly payment: AskedPayment | undefined;
  readonly modal: Modal | undefined;
  /** A frame that is in the page already. */
  readonly preloaded: Preloaded | undefined;
  readonly ready: Ready;
  /** Takes the cashier away without asking the widget. */
  readonly leave: () => void;
}

export interface Opening extends Pick<Conversation, 'post'> {
  readonly frame: HTMLIFrameElement;
  readonly payment: AskedPayment | undefined;
  /** Puts the frame into the page. @throws TypeError when the page has no such container */
  show(): void;
  /** Asks the widget to close; it may have to cancel something first (HOST-4). */
  askToClose(): void;
  /** Removes the frame at once. */
  end(): void;
}

/** Creates the frame, which is not yet in the page, or takes the preloaded one. Listens to it. */
export function createOpening(context: OpeningContext): Opening {
  const { settings, payment, events, modal, preloaded, ready, leave } = context;
  const frame = preloaded?.frame ?? createFrame({ ...settings, ...payment?.start });
  const conversation = openConversation(frame, context, receive, restart);
  const { post, examine } = conversation;
  let closing: ReturnType<typeof setTimeout> | undefined;
  let patience = setTimeout(timeOut, patienceMs);

  function timeOut(): void {
    modal?.showExit();
    events.emit('timeout', { afterMs: patienceMs });
    fail('timeout');
  }

  /** A preloaded widget greets once. If it got no answer, the usual one follows, which greets again and gives up at last. */
  function restart(): void {
    if (conversation.isAnswered || !preloaded?.reload()) return;
    modal?.showExit();
    patience = setTimeout(timeOut, patienceMs);
  }

  function fail(symptom: Symptom, detail: string = symptom): void {
    ready.reject(new Error(detail));
    void examine(symptom, detail);
  }

  function receive({ messageType, payload }: PageMessage): void {
    switch (messageType) {
      case 'Loaded':
        clearTimeout(patience);
        if (payload.protocol > spokenProtocol) {
          events.emit('error', { code: 'unsupported-version', message: `protocol ${payload.protocol}` });
          restart();
          return;
        }
        // The widget now shows a close button of its own.
        if (!conversation.isGreeted) modal?.hideExit(frame);
        void conversation.answer();
        break;
      case 'token-expired':
        conversation.renewToken();
        break;
      case 'init':
        if (payload.success) ready.resolve();
        else fail('start-failed', payload.error);
        break;
      case 'error':
        if (/token|user/.test(payload.code)) void examine('reported', payload.message);
        break;
      case 'resize':
        if (settings.autoHeight && !modal) frame.style.height = `${Math.ceil(payload.height)}px`;
        break;
      case 'close':
        leave();
        return;
    }
    events.emit(messageType, payload as never);
  }

  return {
    frame,
    payment,
    post,
    show() {
      if (preloaded) preloaded.show();
      else placeFrame(frame, settings, modal);
      modal?.show();
      conversation.askEarly();
      if (preloaded?.greeting) conversation.receive(preloaded.greeting);
    },
    askToClose() {
      // A widget without a token has nothing to cancel, and may not listen.
      if (!conversation.isAnswered) {
        leave();
        return;
      }
      post('close', {});
      clearTimeout(closing);
      closing = setTimeout(() => modal?.showExit(), closingMs);
    },
    end() {
      ready.reject(new Error('closed'));
      conversation.end();
      clearTimeout(patience);
      clearTimeout(closing);
      frame.remove();
      modal?.hide();
    },
  };
}
