/** The backend beside this site answers the API: see ../backend. A rewrite in next.config would fix its address at the build. */
async function forward(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const backend = process.env.BACKEND_URL ?? 'http://localhost:4000';
  const headers = new Headers();
  for (const name of ['authorization', 'content-type', 'cookie']) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const body = request.method === 'GET' ? null : await request.text();
  const answer = await fetch(`${backend}${pathname}${search}`, {
    method: request.method,
    headers,
    body,
    cache: 'no-store',
  });
  const type = answer.headers.get('content-type') ?? 'text/plain';
  return new Response(answer.body, { status: answer.status, headers: { 'content-type': type } });
}

export { forward as GET, forward as POST };
