/** Folders of the widget that import each other in one direction only. */
const rooms = ['app', 'ui'];

const inRoom = new RegExp(`^(?:\\.\\./)*apps/widget/src/((?:${rooms.join('|')})/[^/]+)/`);

/** The folder of such a room that a file lies in, such as `app/boot`; `undefined` for all other files. */
export function widgetFolderOf(path) {
  return inRoom.exec(path)?.[1];
}
