/** Gives the path of a Node of 22.19 or later. */
export function newerNode(): Promise<string>;
