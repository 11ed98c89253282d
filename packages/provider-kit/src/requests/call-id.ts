import { createHash } from "node:crypto";

export interface CallIdRule {
  /** In UTF-16 units. */
  readonly maxLength: number;
  /** Matches a rejected character, if any. */
  readonly refused?: RegExp;
  /** Requires exactly `maxLength` letters and digits. */
  readonly isExact?: boolean;
}

const hashLength = 16;

/**
 * Deterministic, equal for call and result, and unique. Ids of another vendor may have another format, and a rejected
 * id would break all later requests of the conversation.
 */
export function callIdFor(rule: CallIdRule | undefined, id: string): string {
  if (rule === undefined) return id;
  const { maxLength, refused, isExact = false } = rule;
  if (isExact) {
    if (id.length === maxLength && /^[a-zA-Z0-9]+$/.test(id)) return id;
    return createHash("sha256").update(id).digest("hex").slice(0, maxLength);
  }
  const spelled = refused === undefined ? id : id.replaceAll(new RegExp(refused, "g"), "_");
  if (spelled === id && id.length <= maxLength) return id;
  const hash = createHash("sha256").update(id).digest("hex").slice(0, hashLength);
  return `${spelled.slice(0, maxLength - hashLength - 1).toWellFormed()}_${hash}`;
}
