/** The browser's path, if there is one. */
export function findBrowser(): string | undefined;
