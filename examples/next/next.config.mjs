/** The backend beside this site answers the paths of the API: see ../backend. */
const backend = process.env.BACKEND_URL ?? 'http://localhost:4000';

export default {
  rewrites: async () => [{ source: '/api/:path*', destination: `${backend}/api/:path*` }],
};
