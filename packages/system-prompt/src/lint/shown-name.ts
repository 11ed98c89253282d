import { shorten } from "@incipit/common";
import { escapeHiddenLine } from "@incipit/schema";
import { findSecrets } from "./secrets.ts";

const maxShown = 60;

/** Formats a name for display: short, on one line, without secrets. */
export function shown(text: string): string {
  if (findSecrets(text).length > 0) return "(a secret)";
  const line = escapeHiddenLine(text);
  return shorten(line, maxShown);
}
