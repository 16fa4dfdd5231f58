/** Each page as Markdown, under its route without the slash and with `.md`. */
import { type DocumentPage, documentPages } from '../documents/pages.ts';

export function getStaticPaths() {
  return documentPages().map((document) => ({ params: { page: document.page }, props: document }));
}

export function GET({ props }: { props: DocumentPage }): Response {
  return new Response(props.text, { headers: { 'content-type': 'text/markdown; charset=utf-8' } });
}
