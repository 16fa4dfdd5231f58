import { Account, type Site } from './account';

/** Every user has own data, so nothing of this page is kept. */
export const dynamic = 'force-dynamic';

export default async function Page() {
  const answer = await fetch(`${process.env.BACKEND_URL ?? 'http://localhost:4000'}/api/site`, { cache: 'no-store' });
  if (!answer.ok) throw new Error(`The backend answered ${answer.status}`);
  const site: Site = await answer.json();
  return <Account {...site} />;
}
