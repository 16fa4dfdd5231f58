import type { FormField, PaymentMethod } from '@opencashier/contract/api';
import { isBusy } from '@opencashier/core/deposit/engine';
import type { Redirect } from '@opencashier/core/deposit/next-step';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { ClientError } from '../../api/client.ts';
import { depositListRequest } from '../../api/deposit-list-request.ts';
import { linkPolicyOf } from '../link/link-policy.ts';
import { leaveCashier, makesRoom, opensWindowAhead } from '../link/way-out.ts';
import { rememberMethod } from '../method/last-method.ts';
import { methodTitle } from '../method/method-text.ts';
import type { PaymentWindow } from '../payment/payment-window.ts';
import { useIsCurrentPage } from '../session/current-page.ts';
import { refusedNames } from '../session/failure-code.ts';
import { usePlace } from '../session/product-context.tsx';
import { useServices, useTexts } from '../session/services.tsx';
import { failureText } from './decline-text.ts';
import { reportDepositDelay } from './deposit-delay.ts';
import { createDepositDriver, type DepositDriver } from './deposit-driver.ts';
import { rememberAnswer } from './deposit-intent.ts';
import { stepPath } from './deposit-paths.ts';
import type { CreateStep, DepositState, DriverPorts, FinishedStep, PageStep } from './deposit-ports.ts';
import { useOrder } from './order.ts';

/** What a flow's screen fills in. */
export interface DepositForm {
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
  /** The outcome is not known: say that it is being checked, and not to pay again. */
  readonly isBeingChecked: boolean;
  /** The number of the deposit, once there is one. */
  readonly depositId: string | undefined;
  /** Fields that the method asked for after the first press. */
  readonly extraFields: readonly FormField[];
  /** The payment window was blocked: the way to the provider is this link (DEP-2). */
  readonly link: Redirect | undefined;
  /** The link was followed, so the person is paying now. */
  followLink(): void;
  /** Must be called within the tap. */
  submit(form: DepositForm): void;
}

/** Where a flow differs from the usual create call and its ways on. */
export interface DepositVariant {
  /** Creates by a call of the flow's own; `deposit-create` when absent. */
  readonly create?: CreateStep;
  /** The flow's own screen for a step, or undefined for the usual one. */
  pathOf?(step: PageStep): string | undefined;
  /** The person pays by hand, on a screen of the widget's own: no payment window is opened ahead of the call. */
  readonly staysHere?: true;
  /** Leaving the form while the deposit is being created cancels it (DEP-11). */
  readonly cancelsOnLeave?: true;
  /** The next screen takes the form's place in the history, because going back to it would create another deposit. */
  readonly replacesForm?: true;
  /** An address that was never shown is paid by nobody: a create that was left behind needs no cancel. */
  readonly isPaidOnSight?: true;
  /** Tells two intents for the same money apart, so that they never share a key. */
  readonly mark?: string | undefined;
}

interface DepositOptions {
  readonly method: PaymentMethod;
  readonly variant?: DepositVariant | undefined;
  /** Shows what is wrong with the form and leads to the first such place. */
  readonly onInvalid: () => void;
  /** The server refused the amount. True when that is shown at the amount. */
  readonly onRefusedAmount?: ((refusal: ClientError) => boolean) | undefined;
  /** The server refused these fields, by name. True when that is shown at a field. */
  readonly onRefusedFields: (names: readonly string[]) => boolean;
  /** What else went wrong, in words that stay beside the button; a notification where the screen has no place for them. */
  readonly onFault?: ((words: string) => void) | undefined;
  /** The server refused the bonus as ended: the person is asked again (BON-2). */
  readonly onBonusEnded?: (() => void) | undefined;
}

const noFields: readonly FormField[] = [];

/** Creates deposits by the one engine of core (DEP-1); flows differ in what they show, never in this. */
export function useDeposit(options: DepositOptions): Deposit {
  const { method, variant, onInvalid } = options;
  const services = useServices();
  const texts = useTexts();
  const place = usePlace();
  const order = useOrder();
  const [link, setLink] = useState<Redirect>();
  const asked = useRef<Pick<DepositForm, 'bonusId'>>({});
  const isCurrentPage = useIsCurrentPage();
  const completePath = (depositId: string) =>
    `${place.tree}/complete?${new URLSearchParams({ depositId, method: method.name })}`;
  const finish = (step: FinishedStep, paymentWindow: PaymentWindow | undefined) => {
    rememberMethod(method.name);
    const path =
      step.kind === 'redirect'
        ? completePath(step.depositId)
        : (variant?.pathOf?.(step) ?? stepPath(step, { ...place, method: method.name, complete: completePath }));
    rememberStep(step, path);
    if (step.kind !== 'redirect') {
      const replace = variant?.replacesForm === true;
      // The person may have opened the guide meanwhile, whose file is on its way: its entry is not this page's to replace.
      if (!replace || isCurrentPage()) services.navigation.go(path, { replace });
      return;
    }
    const session = services.session.get();
    const beforeLeaving = () => services.navigation.go(path, { replace: true });
    if (!leaveCashier(step, { session, method, paymentWindow, beforeLeaving })) setLink(step);
  };
  /** What the page of the step shows, and what a repeat of the create needs to be the same intent. */
  const rememberStep = (step: FinishedStep, path: string) => {
    if (step.depositId === undefined) return;
    const data = 'data' in step ? step.data : undefined;
    const { country, payload } = services.session.get();
    const { bonusId } = asked.current;
    rememberAnswer(services.queries, data, {
      depositId: step.depositId,
      method: method.name,
      path,
      userId: payload.userId,
      selectedCountry: country,
      ...(bonusId === undefined ? {} : { bonusId }),
      boxId: order?.boxId,
    });
  };
  const ports: DriverPorts = {
    services,
    create: variant?.create,
    methodText: methodTitle(method, texts),
    linkPolicy: linkPolicyOf(method),
    hasPage: (pageId) => place.product.answerPath(`page:${pageId}`) !== undefined,
    windowText: texts.translate('deposit.windowWaiting'),
    returnUrl: (depositId) => returnAddress(depositId, completePath),
    showErrors: onInvalid,
    handleError(failure, cause) {
      if (order?.onRefused(failure.code)) return;
      if (isShownInPlace(options, cause)) return;
      const words = failureText(failure, texts);
      if (options.onFault) options.onFault(words);
      else services.notify({ kind: 'error', text: words });
      if (failure.code === 'bonus-expired') options.onBonusEnded?.();
    },
    go: finish,
    // Few methods ask for a captcha, so it is loaded by those that do (ERR-5).
    runCaptcha: async (signal) => (await import('../captcha/run-captcha.tsx')).runCaptcha(services, signal),
    makeId: () => crypto.randomUUID(),
  };
  const returnAddress = (depositId: string, complete: (id: string) => string): string => {
    const session = services.session.get();
    if (makesRoom(session, method))
      return `${location.origin}${session.basePath}${withPlaceOfHost(complete(depositId))}`;
    const { theme } = document.documentElement.dataset;
    const query = new URLSearchParams({ depositId, locale: texts.locale, ...(theme === 'dark' && { theme }) });
    return `${location.origin}${session.basePath}/returned?${query}`;
  };
  const latest = useRef(ports);
  useEffect(() => {
    latest.current = ports;
  });
  const [driver] = useState<DepositDriver>(() => createDepositDriver(() => latest.current));
  const state = useSyncExternalStore(driver.subscribe, driver.get, driver.get);
  const cancelsOnLeave = variant?.cancelsOnLeave === true;
  useEffect(() => {
    const leave = () => {
      if (!cancelsOnLeave || !isBusy(driver.get())) return;
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
    // A host that simply removes the widget is a closing too (DEP-9). A reload looks the same, so nothing is cancelled here.
    window.addEventListener('pagehide', driver.close);
    return () => {
      stop();
      window.removeEventListener('pagehide', driver.close);
      leave();
      driver.dispose();
    };
  }, [services, driver, cancelsOnLeave]);
  return {
    at: state.at,
    isBusy: isBusy(state),
    isBeingChecked: state.at === 'checking',
    depositId: 'intent' in state ? state.intent.depositId : undefined,
    extraFields: state.at === 'needs-fields' ? state.fields : noFields,
    link,
    followLink() {
      if (link) services.navigation.go(completePath(link.depositId), { replace: true });
    },
    submit(form) {
      const session = services.session.get();
      if (form.isValid) reportDepositDelay(services);
      asked.current = form;
      const { abTestGroup } = depositListRequest(session);
      driver.submit({
        request: {
          amount: form.amount,
          currency: session.currency,
          fields: form.fields,
          isActivatedBonus: form.bonusId !== undefined,
          ...(form.bonusId === undefined ? {} : { bonusId: form.bonusId }),
          paymentType: method.name,
          selectedCountry: session.country,
          metadata: { isFromChip: form.isFromChip },
          ...(order === undefined ? {} : { boxId: order.boxId, boxPrice: order.price }),
          ...(abTestGroup === undefined ? {} : { abTestGroup }),
          ...(form.paymentSessionId === undefined ? {} : { paymentSessionId: form.paymentSessionId }),
        },
        isValid: form.isValid,
        mark: variant?.mark,
        isPaidOnSight: variant?.isPaidOnSight === true,
        needsPreparation: method.isPreparationRequired === true && state.at !== 'needs-fields',
        needsCaptcha: method.flags.captcha === true,
        opensWindow: variant?.staysHere !== true && opensWindowAhead(session, method),
      });
    },
  };
}

/** A fault of the amount or of a field stands at it alone. */
function isShownInPlace({ onRefusedAmount, onRefusedFields }: DepositOptions, cause: unknown): boolean {
  if (cause instanceof ClientError && onRefusedAmount?.(cause)) return true;
  const names = refusedNames(cause);
  return names.length > 0 && onRefusedFields(names);
}

/** The way back into this very frame: what the embedding page said in the address is needed there again (NAV-7). */
function withPlaceOfHost(path: string): string {
  const here = new URLSearchParams(location.search);
  const kept = ['partner', 'theme'].flatMap((name) => {
    const value = here.get(name);
    return value === null ? [] : [[name, value]];
  });
  return kept.length === 0 ? path : `${path}&${new URLSearchParams(kept)}`;
}
