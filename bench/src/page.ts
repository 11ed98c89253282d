const end = "<!-- end -->";

/**
 * The page with a subject's table between its two comments, in place of the one that was there.
 * @throws when it has no place for that subject.
 */
export function replaceTable(page: string, subject: string, table: string): string {
  const start = `<!-- bench ${subject} -->`;
  const from = page.indexOf(start);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0)
    throw new Error(`there is no place for "${subject}"; write "${start}" and "${end}" on two lines of it`);
  return `${page.slice(0, from + start.length)}\n\n${table}\n\n${page.slice(to)}`;
}
