import { connection } from 'next/server';
import { Suspense } from 'react';
import { Account, type Site } from './account';

export default function Page() {
  return (
    <Suspense>
      <SignedIn />
    </Suspense>
  );
}

async function SignedIn() {
  // Every user has own data, so nothing of this part is made at the build.
  await connection();
  const answer = await fetch(`${process.env.BACKEND_URL ?? 'http://localhost:4000'}/api/site`, { cache: 'no-store' });
  if (!answer.ok) throw new Error(`The backend answered ${answer.status}`);
  const site: Site = await answer.json();
  return <Account {...site} />;
}
