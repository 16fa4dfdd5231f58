// breaks: embed-libraries, embed-libraries-no-node, declared-packages
import 'node:url';
export const load = () => import('react');
