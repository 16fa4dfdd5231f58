/** What the sandbox says, by language: texts by name; a variant holds those that differ from its language’s. */
import ar from './words/ar.json' with { type: 'json' };
import az from './words/az.json' with { type: 'json' };
import bn from './words/bn.json' with { type: 'json' };
import de from './words/de.json' with { type: 'json' };
import el from './words/el.json' with { type: 'json' };
import en from './words/en.json' with { type: 'json' };
import es from './words/es.json' with { type: 'json' };
import esEs from './words/es-ES.json' with { type: 'json' };
import esMx from './words/es-MX.json' with { type: 'json' };
import fil from './words/fil.json' with { type: 'json' };
import fr from './words/fr.json' with { type: 'json' };
import hi from './words/hi.json' with { type: 'json' };
import hiIn from './words/hi-IN.json' with { type: 'json' };
import hiLatnIn from './words/hi-Latn-IN.json' with { type: 'json' };
import id from './words/id.json' with { type: 'json' };
import it from './words/it.json' with { type: 'json' };
import ja from './words/ja.json' with { type: 'json' };
import kk from './words/kk.json' with { type: 'json' };
import ko from './words/ko.json' with { type: 'json' };
import ky from './words/ky.json' with { type: 'json' };
import mr from './words/mr.json' with { type: 'json' };
import ms from './words/ms.json' with { type: 'json' };
import pl from './words/pl.json' with { type: 'json' };
import pt from './words/pt.json' with { type: 'json' };
import ro from './words/ro.json' with { type: 'json' };
import ru from './words/ru.json' with { type: 'json' };
import sw from './words/sw.json' with { type: 'json' };
import te from './words/te.json' with { type: 'json' };
import tg from './words/tg.json' with { type: 'json' };
import th from './words/th.json' with { type: 'json' };
import tr from './words/tr.json' with { type: 'json' };
import uk from './words/uk.json' with { type: 'json' };
import ur from './words/ur.json' with { type: 'json' };
import uz from './words/uz.json' with { type: 'json' };
import vi from './words/vi.json' with { type: 'json' };
import zh from './words/zh.json' with { type: 'json' };

export type SandboxText = keyof typeof en;

export const wordFiles: Readonly<Record<string, Readonly<Partial<Record<SandboxText, string>>>>> = {
  ar,
  az,
  bn,
  de,
  el,
  en,
  es,
  'es-ES': esEs,
  'es-MX': esMx,
  fil,
  fr,
  hi,
  'hi-IN': hiIn,
  'hi-Latn-IN': hiLatnIn,
  id,
  it,
  ja,
  kk,
  ko,
  ky,
  mr,
  ms,
  pl,
  pt,
  ro,
  ru,
  sw,
  te,
  tg,
  th,
  tr,
  uk,
  ur,
  uz,
  vi,
  zh,
};

/** Every text. */
export const english: Readonly<Record<SandboxText, string>> = en;
