/** What the build tells the widget (build/locale-files.ts). */
interface ImportMetaEnv {
  /** The content hash of every language's file, by the language. */
  readonly LOCALES: string;
}
