export function originOf(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { origin } = new URL(url);
  return origin === "null" ? null : origin;
}
