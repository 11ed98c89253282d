import { escapeHiddenLine } from "@incipit/schema";
import { findSecrets } from "./secrets.ts";

const maxShown = 60;

/** A part of a template in a message: short, on one line, and without what looks like a secret. */
export function shown(text: string): string {
  if (findSecrets(text).length > 0) return "(a secret)";
  const line = escapeHiddenLine(text);
  return line.length <= maxShown ? line : `${line.slice(0, maxShown)}…`;
}
