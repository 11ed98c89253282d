import type { Output } from "../output.ts";

/** Of a terminal that does not say how wide it is, and of what is no terminal. */
const defaultWidth = 80;

/** How many characters a line has room for. */
export function widthOf({ isScreen }: Output): number {
  return (isScreen ? process.stdout.columns : undefined) ?? defaultWidth;
}
