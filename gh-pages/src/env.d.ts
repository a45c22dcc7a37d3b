/** The pages that were built, by name: vite.config.ts. */
declare const PAGES: string[];
