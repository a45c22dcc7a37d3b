/** The pages' names and titles, in the order of the navigation: pages.ts, by vite.config.ts. */
declare const PAGES: [name: string, title: string][];
