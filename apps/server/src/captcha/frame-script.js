/**
 * Runs in the captcha frame: loads the vendor's script, and speaks the protocol of contract/host/captcha-messages.ts with
 * the widget. Everything here is in an opaque origin: no storage, no cookies, no way to the widget but messages.
 */
(() => {
  const { parentOrigin, scriptUrl, isStandIn, scenario } = document.body.dataset;
  if (window.parent === window) return;

  const post = (message) => window.parent.postMessage(message, parentOrigin);

  /** Languages by the vendor's own codes; whatever it does not have is shown in English. */
  const languages = {
    ar: 'ara',
    de: 'deu',
    en: 'eng',
    es: 'spa',
    fr: 'fra',
    id: 'ind',
    it: 'ita',
    ja: 'jpn',
    ko: 'kor',
    pt: 'por',
    ru: 'rus',
    th: 'tha',
    tr: 'tur',
    vi: 'vie',
    zh: 'zho',
  };

  /** geetest's published codes: its settings or the browser do not fit, or its servers cannot be reached. */
  const kinds = {
    60001: 'environment',
    60002: 'environment',
    60500: 'environment',
    60100: 'network',
    60101: 'network',
    60200: 'network',
    60201: 'network',
    60202: 'network',
    60204: 'network',
    60205: 'network',
  };
  const kindOf = (error) => {
    const { code, msg } = error ?? {};
    if (/expire/i.test(`${code} ${msg}`)) return 'expired';
    return kinds[code] ?? 'unknown';
  };

  let run = 0;
  let captcha;

  const end = () => {
    run += 1;
    const ended = captcha;
    captcha = undefined;
    try {
      ended?.destroy();
    } catch (error) {
      console.warn('The captcha could not be taken down.', error);
    }
  };

  const loadScript = (captchaId) =>
    new Promise((resolve, reject) => {
      if (typeof window.initGeetest4 === 'function') return resolve();
      const script = document.createElement('script');
      // A script that does not come cannot read the id; everything else it chooses by the id it is given.
      const wanted = scenario || /:(script-.*)/.exec(captchaId)?.[1] || '';
      script.src = isStandIn ? `${scriptUrl}?scenario=${encodeURIComponent(wanted)}` : scriptUrl;
      script.onload = () => (typeof window.initGeetest4 === 'function' ? resolve() : reject(new Error('no captcha')));
      script.onerror = () => {
        script.remove();
        reject(new Error('not loaded'));
      };
      document.head.append(script);
    });

  const open = (thisRun, captchaId, language) => {
    const isMine = () => thisRun === run;
    const finish = (message) => {
      if (!isMine()) return;
      end();
      post(message);
    };
    const config = { captchaId, language, product: 'bind', protocol: 'https://' };
    window.initGeetest4(config, (made) => {
      if (!isMine()) return made.destroy?.();
      captcha = made;
      made
        .onReady(() => {
          if (!isMine()) return;
          (made.showCaptcha ?? made.showBox).call(made);
          post({ messageType: 'captcha:shown' });
        })
        .onSuccess(() => {
          const result = made.getValidate();
          const values = [result?.lot_number, result?.captcha_output, result?.pass_token, result?.gen_time];
          if (!values.every((value) => value !== undefined && value !== null && value !== '')) {
            return finish({ messageType: 'captcha:error', kind: 'empty' });
          }
          const [lotNumber, captchaOutput, passToken, genTime] = values.map(String);
          finish({ messageType: 'captcha:success', lotNumber, captchaOutput, passToken, genTime });
        })
        .onError((error) => finish({ messageType: 'captcha:error', kind: kindOf(error) }))
        .onClose(() => finish({ messageType: 'captcha:closed' }));
    });
  };

  const start = async (captchaId, language) => {
    end();
    const thisRun = run;
    document.documentElement.lang = language;
    document.documentElement.dir = /^(?:ar|fa|he|ur)\b/.test(language) ? 'rtl' : 'ltr';
    try {
      await loadScript(captchaId);
    } catch {
      if (thisRun === run) post({ messageType: 'captcha:error', kind: 'script' });
      return;
    }
    if (thisRun !== run) return;
    try {
      open(thisRun, captchaId, languages[language.split('-')[0]] ?? 'eng');
    } catch (error) {
      console.warn('The captcha could not be opened.', error);
      if (thisRun === run) post({ messageType: 'captcha:error', kind: 'unknown' });
    }
  };

  window.addEventListener('message', ({ source, origin, data }) => {
    if (source !== window.parent || origin !== parentOrigin) return;
    if (typeof data !== 'object' || data === null || data.messageType !== 'captcha:start') return;
    const { captchaId, language } = data;
    if (typeof captchaId === 'string' && captchaId !== '' && typeof language === 'string')
      void start(captchaId, language);
  });
  post({ messageType: 'captcha:ready' });
})();
