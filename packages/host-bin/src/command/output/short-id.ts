/** To the millisecond in which it was made: commands take it as well as all of the id. */
const shortIdLength = 13;

/** As much of an id as a command on a screen has: enough to name what has it, and short enough for a row. */
export function shortId(id: string): string {
  return id.slice(0, shortIdLength);
}
