/** The client and the page of a start that failed. */
import { type ApiClient, ClientError, networkErrorCode } from '../../api/client.ts';

/**
 * The client under the error page of a failed start, where there is no token and perhaps no host. A screen asks for data only
 * after the person has pressed "Refresh". The page is then loaded again.
 */
export function clientOfFailedStart(hasLeftErrorPage: () => boolean, startAgain: () => void): ApiClient {
  return {
    call({ name }) {
      if (!hasLeftErrorPage()) {
        const message = `${name} was not made: the widget has not started.`;
        return Promise.reject(new ClientError({ kind: 'network', code: networkErrorCode, status: 0, message }));
      }
      startAgain();
      return new Promise(() => {});
    },
    onPush: () => () => {},
    serverOffsetMs: () => 0,
  };
}

/** Shows a failure without components and without translated texts, because the rest of the code could not be loaded. */
export function showBootFailure(root: HTMLElement, message: string, retry: () => void): void {
  const document = root.ownerDocument;
  const box = document.createElement('div');
  box.className = 'boot-failure';
  box.setAttribute('role', 'alert');
  const title = document.createElement('h1');
  title.textContent = 'Error occurred';
  const text = document.createElement('p');
  text.textContent = message;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Refresh';
  button.addEventListener('click', retry);
  box.append(title, text, button);
  root.replaceChildren(box);
}
