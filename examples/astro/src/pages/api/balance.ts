import { balanceOf } from '../../book';
import { user } from '../../session';

export const GET = () => new Response(balanceOf(user), { headers: { 'cache-control': 'no-store' } });
