import type { FormField, PaymentMethod } from '@opencashier/contract/api';
import { isBusy } from '@opencashier/core/deposit/engine';
import type { Redirect } from '@opencashier/core/deposit/next-step';
import { useEffect, useRef, useState } from 'react';
import { ClientError } from '../../api/client.ts';
import { depositListRequest } from '../../api/fetch-methods.ts';
import { linkPolicyOf } from '../link/link-policy.ts';
import { leaveCashier, makesRoom, opensWindowAhead } from '../link/way-out.ts';
import { rememberMethod } from '../method/last-method.ts';
import { methodTitle } from '../method/method-text.ts';
import { useIsCurrentPage } from '../session/current-page.ts';
import { refusedNames } from '../session/failure-code.ts';
import { completePath, usePlace } from '../session/product-context.tsx';
import { type Services, type Session, useServices, useStore, useTexts } from '../session/services.tsx';
import { failureText } from './decline-text.ts';
import { reportDepositDelay } from './deposit-delay.ts';
import { createDepositDriver, type DepositDriver } from './deposit-driver.ts';
import { rememberAnswer, type StoredIntent } from './deposit-intent.ts';
import { hasPageIn, stepPath } from './deposit-paths.ts';
import type { CreateStep, DepositPress, DepositState, DriverPorts, FinishedStep, PageStep } from './deposit-ports.ts';
import { type Order, useOrder } from './order.ts';

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
  readonly at: DepositState['at'];
  readonly isBusy: boolean;
  /** The outcome is not known. The screen says that it is being checked, and not to pay again. */
  readonly isBeingChecked: boolean;
  /** The deposit's id, once there is one. */
  readonly depositId: string | undefined;
  /** Fields that the method asked for after the first press. */
  readonly extraFields: readonly FormField[];
  /** The browser blocked the payment window, so the screen shows this link (DEP-2). */
  readonly link: Redirect | undefined;
  /** The user followed the link, and so is paying now. */
  followLink(): void;
  /** Must be called within the tap. */
  submit(form: DepositValues): void;
}

/** How a flow differs from the usual create call and the screens after it. */
export interface DepositVariant {
  /** The flow's own create call; `deposit-create` when absent. */
  readonly create?: CreateStep;
  /** The flow's own screen for a step, or undefined for the usual one. */
  pathOf?(step: PageStep): string | undefined;
  /** The user pays on a screen of the widget, so no payment window is opened ahead of the call. */
  readonly staysHere?: true;
  /** Leaving the form while the deposit is being created cancels it (DEP-11). */
  readonly cancelsOnLeave?: true;
  /** The next screen takes the form's place in the history, because going back to it would create another deposit. */
  readonly replacesForm?: true;
  /** Nobody can pay to an address that was never shown, so an abandoned create needs no cancel. */
  readonly isPaidOnSight?: true;
  /** Tells two intents for the same money apart, so that they never share a key. */
  readonly mark?: string | undefined;
}

interface DepositOptions {
  readonly method: PaymentMethod;
  readonly variant?: DepositVariant | undefined;
  /** Shows the errors of the form and moves the focus to the first one. */
  readonly onInvalid: () => void;
  /** The server refused the amount. True when the amount field shows the refusal. */
  readonly onRefusedAmount?: ((refusal: ClientError) => boolean) | undefined;
  /** The server refused these fields, by name. True when a field shows the refusal. */
  readonly onRefusedFields: (names: readonly string[]) => boolean;
  /** Shows any other failure beside the button. A screen without such a place shows a notification. */
  readonly onFault?: ((words: string) => void) | undefined;
  /** The server refused the bonus as ended: the user is asked again (BON-2). */
  readonly onBonusEnded?: (() => void) | undefined;
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
  const pathOf = (depositId: string) => completePath(place.tree, depositId, method.name);
  const [driver, state] = useDriver(
    {
      services,
      create: variant?.create,
      methodText: methodTitle(method, texts),
      linkPolicy: linkPolicyOf(method),
      hasPage: hasPageIn(place),
      windowText: texts.translate('deposit.windowWaiting'),
      returnUrl: (depositId) =>
        returnAddress(services.session.getState(), method, depositId, texts.locale, pathOf(depositId)),
      showErrors: options.onInvalid,
      handleError(failure, cause) {
        if (order?.onRefused(failure.code)) return;
        if (isShownInPlace(options, cause)) return;
        const words = failureText(failure, texts);
        if (options.onFault) options.onFault(words);
        else services.notify({ kind: 'error', text: words });
        if (failure.code === 'bonus-expired') options.onBonusEnded?.();
      },
      go(step, paymentWindow) {
        rememberMethod(method.name);
        const path =
          step.kind === 'redirect'
            ? pathOf(step.depositId)
            : (variant?.pathOf?.(step) ?? stepPath(step, place, method.name));
        rememberStep(services, step, { method: method.name, path, bonusId: bonusId.current, boxId: order?.boxId });
        if (step.kind === 'redirect') {
          const beforeLeaving = () => services.navigation.go(path, { replace: true });
          const departure = { session: services.session.getState(), method, paymentWindow, beforeLeaving };
          if (!leaveCashier(step, departure)) setLink(step);
          return;
        }
        const replace = variant?.replacesForm === true;
        // The payer may have opened the guide, whose file still loads: this page must not replace the guide's entry.
        if (!replace || isCurrentPage()) services.navigation.go(path, { replace });
      },
      // Few methods ask for a captcha, so only they load it (ERR-5).
      runCaptcha: async (signal) => (await import('../captcha/run-captcha.tsx')).runCaptcha(services, signal),
      makeId: () => crypto.randomUUID(),
    },
    variant?.cancelsOnLeave === true,
  );
  return {
    at: state.at,
    isBusy: isBusy(state),
    isBeingChecked: state.at === 'checking',
    depositId: 'intent' in state ? state.intent.depositId : undefined,
    extraFields: state.at === 'needs-fields' ? state.fields : noFields,
    link,
    followLink() {
      if (link) services.navigation.go(pathOf(link.depositId), { replace: true });
    },
    submit(form) {
      if (form.isValid) reportDepositDelay(services);
      bonusId.current = form.bonusId;
      driver.submit(pressOf(form, options, services.session.getState(), order, state));
    },
  };
}

/** Creates the driver once, and tells it when the form or the widget goes. */
function useDriver(ports: DriverPorts, cancelsOnLeave: boolean): [DepositDriver, DepositState] {
  const { services } = ports;
  const latest = useRef(ports);
  useEffect(() => {
    latest.current = ports;
  });
  const [driver] = useState(() => createDepositDriver(() => latest.current));
  const state = useStore(driver);
  useEffect(() => {
    const leave = () => {
      if (!cancelsOnLeave || !isBusy(driver.getState())) return;
      driver.cancel();
      services.post({
        messageType: 'error',
        payload: { code: 'session-left', message: 'Left while the deposit was being created.' },
      });
    };
    const stop = services.whenClosing(() => {
      driver.close();
      leave();
    });
    // A host may also close the widget by removing its frame (DEP-9). A reload looks the same, so nothing is cancelled here.
    window.addEventListener('pagehide', driver.close);
    return () => {
      stop();
      window.removeEventListener('pagehide', driver.close);
      leave();
      driver.dispose();
    };
  }, [services, driver, cancelsOnLeave]);
  return [driver, state];
}

function pressOf(
  form: DepositValues,
  { method, variant }: DepositOptions,
  session: Session,
  order: Order | undefined,
  state: DepositState,
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

/** Keeps what the step's page shows, and what a repeated create needs to be the same intent. */
function rememberStep(
  { queries, session }: Services,
  step: FinishedStep,
  intent: Pick<StoredIntent, 'method' | 'path' | 'bonusId' | 'boxId'>,
): void {
  const { depositId } = step;
  if (depositId === undefined) return;
  const { country: selectedCountry, payload } = session.getState();
  const data = 'data' in step ? step.data : undefined;
  rememberAnswer(queries, data, { ...intent, depositId, userId: payload.userId, selectedCountry });
}

/** Where the provider sends the payer back to. @param path the status screen of the deposit */
function returnAddress(
  session: Session,
  method: PaymentMethod,
  depositId: string,
  locale: string,
  path: string,
): string {
  const base = location.origin + session.basePath;
  if (makesRoom(session, method)) return base + withPlaceOfHost(path);
  const { theme } = document.documentElement.dataset;
  return `${base}/returned?${new URLSearchParams({ depositId, locale, ...(theme === 'dark' && { theme }) })}`;
}

/** Whether the form shows the fault at the amount or at a field, so that no other message is needed. */
function isShownInPlace({ onRefusedAmount, onRefusedFields }: DepositOptions, cause: unknown): boolean {
  if (cause instanceof ClientError && onRefusedAmount?.(cause)) return true;
  const names = refusedNames(cause);
  return names.length > 0 && onRefusedFields(names);
}

/** The address of this frame again, with the parameters of the embedding page (NAV-7). */
function withPlaceOfHost(path: string): string {
  const here = new URLSearchParams(location.search);
  const kept = ['partner', 'theme'].flatMap((name) => {
    const value = here.get(name);
    return value === null ? [] : [[name, value]];
  });
  return kept.length === 0 ? path : `${path}&${new URLSearchParams(kept)}`;
}
