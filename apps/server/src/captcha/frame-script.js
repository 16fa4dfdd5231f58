/**
 * Runs in the captcha frame: loads the vendor's script, and speaks the protocol of contract/host/captcha-messages.ts with
 * the widget. The frame has an opaque origin: no storage, no cookies, no way to the widget but messages.
 */
{
  const { parentOrigin, scriptUrl, isStandIn, scenario } = document.body.dataset;

  /** Languages by the vendor's own codes. A language that the vendor lacks is shown in English. */
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

  /** Counts the starts. A captcha of an earlier start must not report any more. */
  let currentRun = 0;
  let currentCaptcha;

  const post = (message) => window.parent.postMessage(message, parentOrigin);

  const end = () => {
    currentRun += 1;
    const ended = currentCaptcha;
    currentCaptcha = undefined;
    try {
      ended?.destroy();
    } catch (error) {
      console.warn('The captcha could not be removed.', error);
    }
  };

  /** Ends the captcha of this run and reports how it ended. Does nothing when a later run has begun. */
  const finish = (run, message) => {
    if (run !== currentRun) return;
    end();
    post(message);
  };

  const kindOf = (error) => {
    const { code, msg } = error ?? {};
    if (/expire/i.test(`${code} ${msg}`)) return 'expired';
    return kinds[code] ?? 'unknown';
  };

  /** The vendor may report success without a result: the server could verify nothing, so it is an error. */
  const messageOfResult = (result) => {
    const values = [result?.lot_number, result?.captcha_output, result?.pass_token, result?.gen_time];
    if (!values.every((value) => value !== undefined && value !== null && value !== '')) {
      return { messageType: 'captcha:error', kind: 'empty' };
    }
    const [lotNumber, captchaOutput, passToken, genTime] = values.map(String);
    return { messageType: 'captcha:success', lotNumber, captchaOutput, passToken, genTime };
  };

  /** The address of the vendor's script, or of the stand-in's with the scenario that it plays. */
  const scriptAddress = (captchaId) => {
    if (!isStandIn) return scriptUrl;
    // The server chooses whether the script loads, so it needs these scenarios in the address. The script reads the others
    // from the captcha id.
    const scenarioOfScript = scenario || /:(script-.*)/.exec(captchaId)?.[1] || '';
    return `${scriptUrl}?scenario=${encodeURIComponent(scenarioOfScript)}`;
  };

  const loadScript = (address) =>
    new Promise((resolve, reject) => {
      if (typeof window.initGeetest4 === 'function') return resolve();
      const script = document.createElement('script');
      script.src = address;
      script.onload = () => (typeof window.initGeetest4 === 'function' ? resolve() : reject(new Error('no captcha')));
      script.onerror = () => {
        script.remove();
        reject(new Error('not loaded'));
      };
      document.head.append(script);
    });

  const show = (run, captcha) => {
    if (run !== currentRun) return;
    (captcha.showCaptcha ?? captcha.showBox).call(captcha);
    post({ messageType: 'captcha:shown' });
  };

  const open = (run, captchaId, language) => {
    const config = { captchaId, language, product: 'bind', protocol: 'https://' };
    window.initGeetest4(config, (captcha) => {
      if (run !== currentRun) return captcha.destroy?.();
      currentCaptcha = captcha;
      captcha
        .onReady(() => show(run, captcha))
        .onSuccess(() => finish(run, messageOfResult(captcha.getValidate())))
        .onError((error) => finish(run, { messageType: 'captcha:error', kind: kindOf(error) }))
        .onClose(() => finish(run, { messageType: 'captcha:closed' }));
    });
  };

  const start = async (captchaId, language) => {
    end();
    const run = currentRun;
    document.documentElement.lang = language;
    document.documentElement.dir = /^(?:ar|fa|he|ur)\b/.test(language) ? 'rtl' : 'ltr';
    try {
      await loadScript(scriptAddress(captchaId));
    } catch {
      if (run === currentRun) post({ messageType: 'captcha:error', kind: 'script' });
      return;
    }
    if (run !== currentRun) return;
    try {
      open(run, captchaId, languages[language.split('-')[0]] ?? 'eng');
    } catch (error) {
      console.warn('The captcha could not be opened.', error);
      if (run === currentRun) post({ messageType: 'captcha:error', kind: 'unknown' });
    }
  };

  const receive = ({ source, origin, data }) => {
    if (source !== window.parent || origin !== parentOrigin) return;
    if (typeof data !== 'object' || data === null || data.messageType !== 'captcha:start') return;
    const { captchaId, language } = data;
    if (typeof captchaId === 'string' && captchaId !== '' && typeof language === 'string') {
      void start(captchaId, language);
    }
  };

  if (window.parent !== window) {
    window.addEventListener('message', receive);
    post({ messageType: 'captcha:ready' });
  }
}
