const end = "<!-- end -->";

/** @throws when the page lacks the comments. */
export function replaceTable(page: string, subject: string, table: string): string {
  const start = `<!-- bench ${subject} -->`;
  const from = page.indexOf(start);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0)
    throw new Error(`there is no place for "${subject}"; write "${start}" and "${end}" on two lines of it`);
  return `${page.slice(0, from + start.length)}\n\n${table}\n\n${page.slice(to)}`;
}
