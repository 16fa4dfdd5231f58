/** Folders of the widget whose subfolders import each other in one direction only. */
const parents = ['app', 'ui'];

const inParent = new RegExp(`^(?:\\.\\./)*apps/widget/src/((?:${parents.join('|')})/[^/]+)/`);

/** The subfolder of a file in one of these folders, such as `app/boot`; `undefined` for all other files. */
export function widgetFolderOf(path) {
  return inParent.exec(path)?.[1];
}
