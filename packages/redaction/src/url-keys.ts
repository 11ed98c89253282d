/** Names of values in a query that are keys. */
const keyName = /(?:^|[-_])(?:key|token|secret|password|passwd|signature|sig)$|apikey$/i;

/**
 * What is secret of a URL: its password, or its user where there is none, as tokens stand; what its query names as a key; and what
 * looks like one in its path or its query, as services give them out.
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
    return text; // It was written as it is, with a "%" in it.
  }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const minRunLength = 16;

/** Made by a machine, so that nobody guesses it: not names with dates and versions in them, such as those of models. */
function looksLikeKey(segment: string): boolean {
  return uuid.test(segment) || (segment.match(/[A-Za-z0-9]+/g) ?? []).some(isRandom);
}

/** Words change from small letters to capitals or digits once in a while, and random characters at nearly each second place. */
function isRandom(run: string): boolean {
  if (run.length < minRunLength) return false;
  const changes = run.match(/[a-z](?=[A-Z])|[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) ?? [];
  return changes.length * 4 >= run.length;
}
