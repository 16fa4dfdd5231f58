/** The comparison of secrets, which providers outside this repository need, too. */
export { isSameSecret } from '@opencashier/provider-kit';
