/** What is left when the widget could not start. */
import { type ApiClient, ClientError } from '../../api/client.ts';

/**
 * Stands in for the client under the error page of a failed start: there is no token and perhaps no host. A screen that
 * wants data has been opened by the person pressing refresh, and then everything begins anew.
 */
export function clientOfFailedStart(hasLeftErrorPage: () => boolean, startAnew: () => void): ApiClient {
  return {
    call({ name }) {
      if (!hasLeftErrorPage()) {
        const message = `${name} was not made: the widget has not started.`;
        return Promise.reject(new ClientError({ kind: 'network', code: 'socket.networkError', status: 0, message }));
      }
      startAnew();
      return new Promise(() => {});
    },
    onPush: () => () => {},
    serverOffsetMs: () => 0,
  };
}

/** The last resort: the rest of the code could not be loaded, so there are no components and no texts but these. */
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
