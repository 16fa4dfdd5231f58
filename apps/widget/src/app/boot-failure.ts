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
