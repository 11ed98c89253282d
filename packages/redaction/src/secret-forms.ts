import { plainText } from "./plain-text.ts";

/** Not decoded by `plainText`. */
export interface SecretForm {
  readonly text: string;
  /** Adjacent characters that also contain bits of the secret: a Base64 character holds six bits. */
  readonly before: number;
  readonly behind: number;
}

/** Shorter forms would match ordinary text. */
export const minFormLength = 8;

/**
 * Verbatim, as hexadecimal bytes, and as Base64 of the secret or of a JSON string that contains it, for any offset in
 * the encoded data, in both alphabets. Covers `user:key` and `Bearer key`. All decoded as by `plainText`.
 */
export function secretForms(secret: string): readonly SecretForm[] {
  const bytes = Buffer.from(secret, "utf8");
  const hex = bytes.toString("hex");
  const whole = [
    secret,
    bytes.toString("latin1"), // Bytes of a non-ASCII URL, decoded individually.
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

/**
 * The part that does not depend on adjacent data; the first `skipped` bytes share a group of three with preceding
 * data.
 */
function inBase64(bytes: Buffer, skipped: number): readonly SecretForm[] {
  const left = bytes.length - skipped;
  const rest = left % 3;
  const core = bytes.subarray(skipped, bytes.length - rest);
  const sides = { before: skipped === 0 ? 0 : skipped + 1, behind: rest === 0 ? 0 : rest + 1 };
  return (["base64", "base64url"] as const).map((alphabet) => ({ text: core.toString(alphabet), ...sides }));
}
