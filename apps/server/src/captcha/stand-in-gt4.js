/**
 * A stand-in of the vendor's script for the sandbox: the same few names, and a dialog without a puzzle. What it hands out is
 * signed by the cashier itself, for the cashier's own stand-in of the verifier.
 */
(() => {
  const script = document.currentScript;
  const base = new URL('.', script.src);
  const loadedWith = new URL(script.src).searchParams.get('scenario');

  /** Errors as the vendor words them; `expired` is the stand-in's own. */
  const failures = {
    environment: { code: '60500', msg: 'server forbidden' },
    network: { code: '60100', msg: 'load request error' },
    expired: { code: 'stand_in_expired', msg: 'token expired' },
    unknown: { code: '69999', msg: 'something else' },
  };

  window.initGeetest4 = ({ captchaId }, callback) => {
    const [, scenario = loadedWith] = captchaId.split(':');
    const heard = {};
    let result;
    let dialog;

    const tell = (event, detail) => heard[event]?.(detail);
    const hide = () => {
      dialog?.remove();
      dialog = undefined;
    };
    const solve = async (verdict) => {
      try {
        const query = new URLSearchParams({ captcha_id: captchaId, verdict });
        const response = await fetch(new URL(`solve?${query}`, base), { cache: 'no-store' });
        if (!response.ok) throw new Error(String(response.status));
        result = scenario === 'empty' ? undefined : await response.json();
      } catch {
        hide();
        return tell('error', failures.network);
      }
      hide();
      tell('success');
    };

    const button = (text, act) => {
      const element = document.createElement('button');
      element.type = 'button';
      element.textContent = text;
      Object.assign(element.style, {
        minBlockSize: '44px',
        paddingInline: '16px',
        font: 'inherit',
        color: 'inherit',
        background: 'transparent',
        border: '1px solid currentColor',
        borderRadius: '8px',
        cursor: 'pointer',
      });
      element.addEventListener('click', act);
      return element;
    };

    const show = () => {
      if (dialog) return;
      dialog = document.createElement('div');
      dialog.setAttribute('role', 'dialog');
      dialog.setAttribute('aria-modal', 'true');
      dialog.setAttribute('aria-labelledby', 'stand-in-title');
      Object.assign(dialog.style, {
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
      });
      const title = document.createElement('h1');
      title.id = 'stand-in-title';
      title.textContent = 'Sandbox captcha';
      Object.assign(title.style, { margin: '0', font: 'inherit', fontWeight: '600' });
      const verdict = scenario === 'refused' || scenario === 'unreachable' ? scenario : 'good';
      const person = button('I am a person', () => solve(verdict));
      const close = button('Close', () => {
        hide();
        tell('close');
      });
      dialog.append(
        title,
        person,
        close,
        button('Fail', () => solve('refused')),
        button('Expire', () => {
          hide();
          tell('error', failures.expired);
        }),
      );
      dialog.addEventListener('keydown', ({ key }) => {
        if (key === 'Escape') close.click();
      });
      document.body.append(dialog);
      person.focus();
    };

    const captcha = {
      showBox: show,
      showCaptcha: show,
      getValidate: () => result ?? false,
      destroy: hide,
      reset() {
        result = undefined;
      },
    };
    const chain = (event) => (listener) => {
      heard[event] = listener;
      return captcha;
    };
    Object.assign(captcha, {
      onReady: chain('ready'),
      onSuccess: chain('success'),
      onError: chain('error'),
      onClose: chain('close'),
      onFail: chain('fail'),
      onNextReady: chain('nextReady'),
    });
    callback(captcha);
    setTimeout(() => (failures[scenario] ? tell('error', failures[scenario]) : tell('ready')), 0);
  };
})();
