/** The locales of the specification (section 9), for tests that must hold in all of them. */
export const SPECIFIED_LOCALES = (
  'ar az bn de el en es fil fr hi id it ja kk ko ky mr ms pl pt ro ru sw te tg th tr uk ur uz vi zh ' +
  'hi-Latn-IN hi-IN es-MX es-ES ar-EG en-US en-IN pt-BR pt-PT zh-TW zh-Hant de-CH fr-CH fa ne'
).split(' ');
