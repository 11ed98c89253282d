import { findSecrets } from "./secrets.ts";

const maxShown = 60;

/** A part of a template in a message: short, on one line, and without what looks like a secret. */
export function shown(text: string): string {
  if (findSecrets(text).length > 0) return "(a secret)";
  const line = text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "\u{fffd}");
  return line.length <= maxShown ? line : `${line.slice(0, maxShown)}…`;
}
