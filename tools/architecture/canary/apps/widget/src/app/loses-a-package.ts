// breaks: all-imports-resolve
export { nothing } from '@opencashier/core/no/such-file';
