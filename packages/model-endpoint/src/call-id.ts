import { createHash } from "node:crypto";

export interface CallIdRule {
  /** In UTF-16 units. */
  readonly maxLength: number;
  /** One character that the vendor refuses, wherever it stands; absent: none. */
  readonly refused?: RegExp;
  /** It takes letters and digits alone, exactly `maxLength` of them. */
  readonly isExact?: boolean;
}

const hashLength = 16;

/**
 * An id as the vendor takes it: the same for the call and its result, always the same, and never that of another call. Whoever
 * gave it may have rules of its own, and a vendor that refuses an id refuses each later request of the conversation.
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
