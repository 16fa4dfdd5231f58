/** Made by the build (build/locale-files.ts): the content hash of every language's file. */
declare module 'virtual:locale-hashes' {
  export const localeHashes: Readonly<Record<string, string>>;
}
