/**
 * Creates the deposits of a form: the driver with the ports of the screen. A file of its own, which `use-deposit.ts` loads when the
 * form is on the screen, because the engine is needed only at a press. No React here.
 */
import type { PaymentMethod } from '@opencashier/contract/api';
import { ClientError, networkErrorCode } from '../../api/client.ts';
import { insistInTime } from '../../api/insist.ts';
import { linkPolicyOf } from '../link/link-policy.ts';
import { leaveCashier, makesRoom } from '../link/way-out.ts';
import { rememberMethod } from '../method/last-method.ts';
import { methodTitle } from '../method/method-text.ts';
import type { PaymentWindow } from '../payment/payment-window.ts';
import { refusedNames } from '../session/failure-code.ts';
import { completePath } from '../session/product-context.tsx';
import type { Services, Session } from '../session/services.tsx';
import { failureText } from './decline-text.ts';
import { createDepositDriver } from './deposit-driver.ts';
import { rememberAnswer, type StoredIntent } from './deposit-intent.ts';
import { hasPageIn, stepPath } from './deposit-paths.ts';
import type { DepositDriver, DepositOptions, DriverPorts, FinishedStep, FormScreen } from './deposit-ports.ts';

/** Makes the driver of a form. @param openWindow see `DriverPorts` */
export function createFormDriver(screen: () => FormScreen, openWindow: () => PaymentWindow | undefined): DepositDriver {
  return createDepositDriver(() => portsOf(screen(), openWindow));
}

function portsOf(screen: FormScreen, openWindow: () => PaymentWindow | undefined): DriverPorts {
  const { services, texts, place, order, method, variant } = screen;
  const pathOf = (depositId: string) => completePath(place.tree, depositId, method.name);
  return {
    services,
    create: variant?.create,
    methodText: methodTitle(method, texts),
    linkPolicy: linkPolicyOf(method),
    hasPage: hasPageIn(place),
    openWindow,
    returnUrl: (depositId) =>
      returnAddress(services.session.getState(), method, depositId, texts.locale, pathOf(depositId)),
    showErrors: screen.onInvalid,
    handleError(failure, cause) {
      if (order?.onRefused(failure.code)) return;
      if (isShownInPlace(screen, cause)) return;
      const words = failureText(failure, texts);
      if (screen.onFault) screen.onFault(words);
      else services.notify({ kind: 'error', text: words });
      if (failure.code === 'bonus-expired') screen.onBonusEnded?.();
    },
    go(step, paymentWindow) {
      rememberMethod(method.name);
      const path =
        step.kind === 'redirect'
          ? pathOf(step.depositId)
          : (variant?.pathOf?.(step) ?? stepPath(step, place, method.name));
      rememberStep(services, step, { method: method.name, path, bonusId: screen.bonusId(), boxId: order?.boxId });
      if (step.kind === 'redirect') {
        const beforeLeaving = () => services.navigation.go(path, { replace: true });
        const departure = { session: services.session.getState(), method, paymentWindow, beforeLeaving };
        if (!leaveCashier(step, departure)) screen.showLink(step);
        return;
      }
      const replace = variant?.replacesForm === true;
      // The payer may have opened the guide, whose file still loads: this page must not replace the guide's entry.
      if (!replace || screen.isCurrentPage()) services.navigation.go(path, { replace });
    },
    // Few methods ask for a captcha, so only they load it (ERR-5).
    async runCaptcha(signal) {
      const runCaptcha = await loadCaptcha(services.clock);
      // The payer may be on the way to another page, whose file still loads. A captcha must not cover that page.
      if (!screen.isCurrentPage()) throw captchaFailure('captcha_required', 'The payer has left the form.');
      return runCaptcha(services, signal);
    },
    makeId: () => crypto.randomUUID(),
  };
}

/** @throws ClientError when the file does not come in time */
async function loadCaptcha(clock: Services['clock']) {
  try {
    return await insistInTime(async () => (await import('../captcha/run-captcha.tsx')).runCaptcha, clock);
  } catch (cause) {
    throw captchaFailure(networkErrorCode, 'The captcha could not be loaded.', { cause });
  }
}

/** The captcha was not shown, so this press has sent nothing. */
const captchaFailure = (code: string, message: string, options?: ErrorOptions): ClientError =>
  new ClientError({ kind: 'network', code, status: 0, message }, options);

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
