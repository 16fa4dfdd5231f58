/**
 * A stand-in of the vendor's script for the sandbox. It has the vendor's names, and a dialog without a puzzle. The cashier
 * signs its results, and the cashier's stand-in of the verifier checks them.
 */
{
  const script = document.currentScript;
  const base = new URL('.', script.src);
  const scenarioOfAddress = new URL(script.src).searchParams.get('scenario');

  /** Errors as the vendor words them; the code of `expired` is the stand-in's own. */
  const failures = {
    environment: { code: '60500', msg: 'server forbidden' },
    network: { code: '60100', msg: 'load request error' },
    expired: { code: 'stand_in_expired', msg: 'token expired' },
    unknown: { code: '69999', msg: 'something else' },
  };

  const dialogStyle = {
    position: 'fixed',
    inset: '0',
    margin: 'auto',
    inlineSize: 'min(320px, calc(100% - 48px))',
    blockSize: 'fit-content',
    maxBlockSize: '100%',
    boxSizing: 'border-box',
    overflow: 'auto',
    padding: '20px',
    display: 'grid',
    gap: '12px',
    font: '16px/1.4 system-ui, sans-serif',
    color: 'CanvasText',
    background: 'Canvas',
    border: '1px solid GrayText',
    borderRadius: '12px',
  };
  const titleStyle = { margin: '0', font: 'inherit', fontWeight: '600' };
  const buttonStyle = {
    minBlockSize: '44px',
    paddingInline: '16px',
    font: 'inherit',
    color: 'inherit',
    background: 'transparent',
    border: '1px solid currentColor',
    borderRadius: '8px',
    cursor: 'pointer',
  };

  const createTitle = (text) => {
    const title = document.createElement('h1');
    title.id = 'stand-in-title';
    title.textContent = text;
    Object.assign(title.style, titleStyle);
    return title;
  };

  const createButton = (text, act) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = text;
    Object.assign(button.style, buttonStyle);
    button.addEventListener('click', act);
    return button;
  };

  const createDialog = () => {
    const dialog = document.createElement('div');
    dialog.setAttribute('role', 'dialog');
    dialog.setAttribute('aria-modal', 'true');
    dialog.setAttribute('aria-labelledby', 'stand-in-title');
    Object.assign(dialog.style, dialogStyle);
    return dialog;
  };

  /** Asks the cashier for a signed result. The verifier will answer it with `verdict`: good, refused or unreachable. */
  const fetchResult = async (captchaId, verdict) => {
    const query = new URLSearchParams({ captcha_id: captchaId, verdict });
    const response = await fetch(new URL(`solve?${query}`, base), { cache: 'no-store' });
    if (!response.ok) throw new Error(String(response.status));
    return response.json();
  };

  /** One captcha, with the methods of the vendor's. */
  class StandInCaptcha {
    #captchaId;
    #scenario;
    #listeners = {};
    #result;
    #dialog;

    constructor(captchaId, scenario) {
      this.#captchaId = captchaId;
      this.#scenario = scenario;
    }

    onReady(listener) {
      return this.#on('ready', listener);
    }
    onSuccess(listener) {
      return this.#on('success', listener);
    }
    onError(listener) {
      return this.#on('error', listener);
    }
    onClose(listener) {
      return this.#on('close', listener);
    }
    onFail(listener) {
      return this.#on('fail', listener);
    }
    onNextReady(listener) {
      return this.#on('nextReady', listener);
    }

    showBox() {
      if (this.#dialog) return;
      const verdict = ['refused', 'unreachable'].includes(this.#scenario) ? this.#scenario : 'good';
      const person = createButton('I am a person', () => this.#solve(verdict));
      const close = createButton('Close', () => this.#end('close'));
      const fail = createButton('Fail', () => this.#solve('refused'));
      const expire = createButton('Expire', () => this.#end('error', failures.expired));
      this.#dialog = createDialog();
      this.#dialog.append(createTitle('Sandbox captcha'), person, close, fail, expire);
      this.#dialog.addEventListener('keydown', ({ key }) => {
        if (key === 'Escape') close.click();
      });
      document.body.append(this.#dialog);
      person.focus();
    }
    showCaptcha() {
      this.showBox();
    }
    getValidate() {
      return this.#result ?? false;
    }
    reset() {
      this.#result = undefined;
    }
    destroy() {
      this.#dialog?.remove();
      this.#dialog = undefined;
    }

    /** Reports what a captcha of this scenario reports once its script has run. */
    start() {
      const failure = failures[this.#scenario];
      if (failure) this.#emit('error', failure);
      else this.#emit('ready');
    }

    #on(event, listener) {
      this.#listeners[event] = listener;
      return this;
    }
    #emit(event, detail) {
      this.#listeners[event]?.(detail);
    }
    #end(event, detail) {
      this.destroy();
      this.#emit(event, detail);
    }

    async #solve(verdict) {
      try {
        const result = await fetchResult(this.#captchaId, verdict);
        this.#result = this.#scenario === 'empty' ? undefined : result;
      } catch {
        return this.#end('error', failures.network);
      }
      this.#end('success');
    }
  }

  window.initGeetest4 = ({ captchaId }, callback) => {
    const [, scenario = scenarioOfAddress] = captchaId.split(':');
    const captcha = new StandInCaptcha(captchaId, scenario);
    callback(captcha);
    setTimeout(() => captcha.start(), 0);
  };
}
