/** The backend beside this site answers the API: see ../backend. A rewrite in next.config would fix its address at the build. */
async function forward(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const backend = process.env.BACKEND_URL ?? 'http://localhost:4000';
  const answer = await fetch(`${backend}${pathname}`, { method: request.method, cache: 'no-store' });
  const type = answer.headers.get('content-type') ?? 'text/plain';
  return new Response(answer.body, { status: answer.status, headers: { 'content-type': type } });
}

export { forward as GET, forward as POST };
