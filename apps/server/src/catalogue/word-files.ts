/** The catalogue’s words in every language that needs some: its own texts are English, and of methods and groups Arabic. */
import ar from './data/words/ar.json' with { type: 'json' };
import az from './data/words/az.json' with { type: 'json' };
import bn from './data/words/bn.json' with { type: 'json' };
import de from './data/words/de.json' with { type: 'json' };
import el from './data/words/el.json' with { type: 'json' };
import es from './data/words/es.json' with { type: 'json' };
import esEs from './data/words/es-ES.json' with { type: 'json' };
import esMx from './data/words/es-MX.json' with { type: 'json' };
import fil from './data/words/fil.json' with { type: 'json' };
import fr from './data/words/fr.json' with { type: 'json' };
import hi from './data/words/hi.json' with { type: 'json' };
import hiLatn from './data/words/hi-Latn-IN.json' with { type: 'json' };
import id from './data/words/id.json' with { type: 'json' };
import it from './data/words/it.json' with { type: 'json' };
import ja from './data/words/ja.json' with { type: 'json' };
import kk from './data/words/kk.json' with { type: 'json' };
import ko from './data/words/ko.json' with { type: 'json' };
import ky from './data/words/ky.json' with { type: 'json' };
import mr from './data/words/mr.json' with { type: 'json' };
import ms from './data/words/ms.json' with { type: 'json' };
import pl from './data/words/pl.json' with { type: 'json' };
import pt from './data/words/pt.json' with { type: 'json' };
import ro from './data/words/ro.json' with { type: 'json' };
import ru from './data/words/ru.json' with { type: 'json' };
import sw from './data/words/sw.json' with { type: 'json' };
import te from './data/words/te.json' with { type: 'json' };
import tg from './data/words/tg.json' with { type: 'json' };
import th from './data/words/th.json' with { type: 'json' };
import tr from './data/words/tr.json' with { type: 'json' };
import uk from './data/words/uk.json' with { type: 'json' };
import ur from './data/words/ur.json' with { type: 'json' };
import uz from './data/words/uz.json' with { type: 'json' };
import vi from './data/words/vi.json' with { type: 'json' };
import zh from './data/words/zh.json' with { type: 'json' };
import type { WordFiles } from './words.ts';

export const wordFiles: WordFiles = {
  ar,
  az,
  bn,
  de,
  el,
  es,
  'es-ES': esEs,
  'es-MX': esMx,
  fil,
  fr,
  hi,
  'hi-Latn-IN': hiLatn,
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
