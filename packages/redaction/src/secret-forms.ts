import { plainText } from "./plain-text.ts";

/** One way to write a secret, beside those that `plainText` undoes. */
export interface SecretForm {
  readonly text: string;
  /** Characters in front of it and behind it that may tell something of the secret as well: those of Base64 hold six bits each. */
  readonly before: number;
  readonly behind: number;
}

/** Shorter ones would hit ordinary text. */
export const minFormLength = 8;

/**
 * The forms of a secret: as it is, its bytes in hexadecimal, and what Base64 makes of it, or of a string of JSON
 * that holds it, wherever it begins in what is encoded, in both alphabets. So `user:key` and `Bearer key` are found, too. All as
 * `plainText` gives them.
 */
export function secretForms(secret: string): readonly SecretForm[] {
  const bytes = Buffer.from(secret, "utf8");
  const hex = bytes.toString("hex");
  const whole = [
    secret,
    bytes.toString("latin1"), // The bytes of a URL, each by itself, where it is not all ASCII.
    hex,
    hex.toUpperCase(),
  ].map((text) => ({ text, before: 0, behind: 0 }));
  const inJson = Buffer.from(JSON.stringify(secret).slice(1, -1), "utf8");
  const encoded = [bytes, inJson].flatMap((all) => [0, 1, 2].flatMap((skipped) => inBase64(all, skipped)));
  const forms = new Map<string, SecretForm>();
  for (const form of [...whole, ...encoded]) {
    const text = plainText(form.text);
    if (text.length >= minFormLength && !forms.has(text)) forms.set(text, { ...form, text });
  }
  return [...forms.values()];
}

/** What is the same in each text that has these bytes from a place on; the first `skipped` share three with what is in front of them. */
function inBase64(bytes: Buffer, skipped: number): readonly SecretForm[] {
  const left = bytes.length - skipped;
  const rest = left % 3;
  const core = bytes.subarray(skipped, bytes.length - rest);
  const sides = { before: skipped === 0 ? 0 : skipped + 1, behind: rest === 0 ? 0 : rest + 1 };
  return (["base64", "base64url"] as const).map((alphabet) => ({ text: core.toString(alphabet), ...sides }));
}
