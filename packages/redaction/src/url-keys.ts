const keyName = /(?:^|[-_])(?:key|token|secret|password|passwd|signature|sig)$|apikey$/i;

/**
 * Returns the secret parts of a URL: its password, or its user without a password, query parameters with a key's
 * name, and random-looking segments of path and query.
 */
export function urlKeys(text: string): readonly string[] {
  if (!text.includes("://") || !URL.canParse(text)) return [];
  const { username, password, pathname, searchParams } = new URL(text);
  const person = decoded(password === "" ? username : password);
  const queried = [...searchParams].flatMap(([name, value]) =>
    keyName.test(name) || looksLikeKey(value) ? [value] : [],
  );
  const inPath = pathname.split("/").map(decoded).filter(looksLikeKey);
  return [...(person === "" ? [] : [person]), ...queried, ...inPath];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // An unencoded "%".
  }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const minRunLength = 16;

/** Unlike names with dates and versions, such as those of models. */
function looksLikeKey(segment: string): boolean {
  return uuid.test(segment) || (segment.match(/[A-Za-z0-9]+/g) ?? []).some(isRandom);
}

/**
 * Random characters change between lower case, capitals and digits at nearly every second position, words rarely.
 */
function isRandom(run: string): boolean {
  if (run.length < minRunLength) return false;
  const changes = run.match(/[a-z](?=[A-Z])|[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) ?? [];
  return changes.length * 4 >= run.length;
}
