const minLength = 8;
const minCharacters = 5;
/** From here on, plain words or digits count as a secret. */
const minPhraseLength = 16;

/** For keys that are not needed: lower-case letters and digits only. */
const placeholders: ReadonlySet<string> = new Set([
  "changeme1",
  "changeme123",
  "noapikeyrequired",
  "noauthenticationrequired",
  "passw0rd",
  "password1",
  "password123",
  "putyourapikeyhere",
  "replacewithyourapikey",
  "secret123",
  "skdummyapikey",
  "sknokeyrequired",
  "sknotneeded",
  "thisisnotarealkey",
  "yourapikeygoeshere",
  "yourapikeyhere",
  "youropenaiapikeyhere",
  "yoursecretkeyhere",
]);

/** Words and small numbers: `lm-studio`, `eu-west-1`, `v1.2.3`. */
const words = /^(?:(?:[A-Z]?[a-z]+|[A-Z]+|v?\d{1,2})(?:[-_.:/ ]+|$))+$/;

/** Also a date or an address. */
const number = /^[\d.:/ -]+$/;

/** A file path, such as a home folder in an environment variable. */
const path = /^(?:\/[-_.]*(?:(?:[A-Z]?[a-z]+|[A-Z]+|v?\d{1,4})(?:[-_.]+|(?=\/|$)))+)+\/?$/;

/** Returns why a value is too ordinary to be redacted: replacing it everywhere would damage ordinary text. */
export function ignoredSecretReason(value: string): string | undefined {
  if (value.length < minLength) return `it is shorter than ${minLength} characters`;
  if (new Set(value).size < minCharacters) return `it has fewer than ${minCharacters} different characters`;
  if (isPlaceholder(value)) return "it is a placeholder for endpoints without a key";
  if (path.test(value)) return "it is a path";
  if (value.length >= minPhraseLength) return undefined;
  if (words.test(value)) return `it is a word, or several, and shorter than ${minPhraseLength} characters`;
  return number.test(value) ? `it is a number, and shorter than ${minPhraseLength} digits` : undefined;
}

function isPlaceholder(value: string): boolean {
  const bare = value.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  // "sk-xxxx…", "sk-1234567890", "test1234": a prefix and keyboard sequences.
  return (
    placeholders.has(bare) ||
    /^(?:sk|pk|key|test|dummy|demo|fake)*(?:x+|0+|123(?:4(?:5(?:6(?:7(?:8(?:90?)?)?)?)?)?)?|abc(?:def)?(?:123)?)$/.test(
      bare,
    )
  );
}
