import type { FormField } from '@opencashier/contract/api';
import type { Redirect } from '@opencashier/core/deposit/next-step';
import { useEffect, useRef, useState } from 'react';
import { depositListRequest } from '../../api/fetch-methods.ts';
import { opensWindowAhead } from '../link/way-out.ts';
import { openPaymentWindow } from '../payment/payment-window.ts';
import { useIsCurrentPage } from '../session/current-page.ts';
import { completePath, usePlace } from '../session/product-context.tsx';
import { type Session, useServices, useStore, useTexts } from '../session/services.tsx';
import {
  createDeferredDriver,
  type DeferredDriver,
  type DeferredDriverPorts,
  type FormState,
  isCreating,
} from './deferred-driver.ts';
import { reportDepositDelay } from './deposit-delay.ts';
import type { DepositOptions, DepositPress, FormScreen } from './deposit-ports.ts';
import { type Order, useOrder } from './order.ts';
import type { PressOutcome } from './press-outcome.tsx';

/** What the user filled in on a flow's screen. */
export interface DepositValues {
  readonly amount: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly isValid: boolean;
  readonly isFromChip: boolean;
  readonly paymentSessionId: string | undefined;
  /** The bonus that was on the screen at the tap, if it applies (BON-2). */
  readonly bonusId?: string | undefined;
}

export interface Deposit {
  readonly at: FormState['at'];
  readonly isBusy: boolean;
  /** The outcome is not known. The screen says that it is being checked, and not to pay again. */
  readonly isBeingChecked: boolean;
  /** What the server says while it creates the deposit, such as that another way is tried. */
  readonly notice: string | undefined;
  /** The deposit's id, once there is one. */
  readonly depositId: string | undefined;
  /** Fields that the method asked for after the first press. */
  readonly extraFields: readonly FormField[];
  /** The browser blocked the payment window, so the screen shows this link (DEP-2). */
  readonly link: Redirect | undefined;
  /** Shows the link, or that the outcome is not known. It is there whenever one of them is. */
  readonly Outcome: typeof PressOutcome | undefined;
  /** The user followed the link, and so is paying now. */
  followLink(): void;
  /** Must be called within the tap. */
  submit(form: DepositValues): void;
}

const noFields: readonly FormField[] = [];

/** Creates deposits by the only engine, in core (DEP-1). Flows differ in what they show, never in the creation. */
export function useDeposit(options: DepositOptions): Deposit {
  const { method, variant } = options;
  const services = useServices();
  const texts = useTexts();
  const place = usePlace();
  const order = useOrder();
  const [link, setLink] = useState<Redirect>();
  const bonusId = useRef<string>(undefined);
  const isCurrentPage = useIsCurrentPage();
  const screen: FormScreen = {
    ...options,
    services,
    texts,
    place,
    order,
    bonusId: () => bonusId.current,
    isCurrentPage,
    showLink: setLink,
  };
  const [driver, state, Outcome] = useDriver(screen, variant?.cancelsOnLeave === true);
  const depositId = 'intent' in state ? state.intent.depositId : undefined;
  const isBusy = isCreating(state);
  return {
    at: state.at,
    isBusy,
    isBeingChecked: state.at === 'checking',
    notice: useNotice(isBusy ? depositId : undefined),
    depositId,
    extraFields: state.at === 'needs-fields' ? state.fields : noFields,
    link,
    Outcome,
    followLink() {
      if (link) services.navigation.go(completePath(place.tree, link.depositId, method.name), { replace: true });
    },
    submit(form) {
      if (form.isValid) reportDepositDelay(services);
      bonusId.current = form.bonusId;
      driver.submit(pressOf(form, options, services.session.getState(), order, state));
    },
  };
}

/** What the server says about a deposit while it is being created. @param depositId undefined: none is being created */
function useNotice(depositId: string | undefined): string | undefined {
  const { api } = useServices();
  const [notice, setNotice] = useState<string>();
  useEffect(() => {
    if (depositId === undefined) return;
    const stop = api.onPush('deposit.status', (pushed) => {
      if (pushed.depositId === depositId && pushed.notice) setNotice(pushed.notice);
    });
    return () => {
      stop();
      setNotice(undefined);
    };
  }, [api, depositId]);
  return notice;
}

/** Creates the driver once, loads its code, and tells it when the form or the widget goes. */
function useDriver(
  screen: FormScreen,
  cancelsOnLeave: boolean,
): [DeferredDriver, FormState, typeof PressOutcome | undefined] {
  const { services } = screen;
  const latest = useRef(screen);
  useEffect(() => {
    latest.current = screen;
  });
  const [code, setCode] = useState<{ readonly Outcome: typeof PressOutcome }>();
  const [driver] = useState(() => createDeferredDriver(services.clock, () => portsOf(() => latest.current, setCode)));
  const state = useStore(driver);
  useEffect(() => driver.prepare(), [driver]);
  useEffect(() => {
    const leave = (wasCreating: boolean) => {
      if (!cancelsOnLeave || !wasCreating) return;
      driver.cancel();
      services.post({
        messageType: 'error',
        payload: { code: 'session-left', message: 'Left while the deposit was being created.' },
      });
    };
    const stop = services.whenClosing(() => {
      const wasCreating = isCreating(driver.getState());
      driver.close();
      leave(wasCreating);
    });
    // A host may also close the widget by removing its frame (DEP-9). A reload looks the same, so nothing is cancelled here.
    window.addEventListener('pagehide', driver.close);
    return () => {
      stop();
      window.removeEventListener('pagehide', driver.close);
      leave(isCreating(driver.getState()));
      driver.dispose();
    };
  }, [services, driver, cancelsOnLeave]);
  return [driver, state, code?.Outcome];
}

/**
 * What the driver needs until its code is there.
 * @param screen the screen as of its last render
 * @param take takes what shows the outcome
 */
function portsOf(
  screen: () => FormScreen,
  take: (code: { readonly Outcome: typeof PressOutcome }) => void,
): DeferredDriverPorts {
  const { services, texts, onInvalid, onFault } = screen();
  return {
    async load(openWindow) {
      const [{ createFormDriver }, { PressOutcome: Outcome }] = await Promise.all([
        import('./deposit-run.ts'),
        import('./press-outcome.tsx'),
      ]);
      take({ Outcome });
      return createFormDriver(screen, openWindow);
    },
    openWindow: () => openPaymentWindow(texts.translate('deposit.windowWaiting')),
    showErrors: onInvalid,
    failed() {
      const words = texts.translate('common.errors.socket.networkError');
      if (onFault) onFault(words);
      else services.notify({ kind: 'error', text: words });
      services.metric('deposit.create', 'fail');
    },
  };
}

function pressOf(
  form: DepositValues,
  { method, variant }: DepositOptions,
  session: Session,
  order: Order | undefined,
  state: FormState,
): DepositPress {
  const { amount, fields, isValid, isFromChip, bonusId, paymentSessionId } = form;
  const { abTestGroup } = depositListRequest(session);
  return {
    request: {
      amount,
      currency: session.currency,
      fields,
      isActivatedBonus: bonusId !== undefined,
      ...(bonusId !== undefined && { bonusId }),
      paymentType: method.name,
      selectedCountry: session.country,
      metadata: { isFromChip },
      ...(order && { boxId: order.boxId, boxPrice: order.price }),
      ...(abTestGroup !== undefined && { abTestGroup }),
      ...(paymentSessionId !== undefined && { paymentSessionId }),
    },
    isValid,
    mark: variant?.mark,
    isPaidOnSight: variant?.isPaidOnSight === true,
    needsPreparation: method.isPreparationRequired === true && state.at !== 'needs-fields',
    needsCaptcha: method.flags.captcha === true,
    opensWindow: variant?.staysHere !== true && opensWindowAhead(session, method),
  };
}
