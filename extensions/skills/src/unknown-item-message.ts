import { shorten } from "@incipit/common";
import type { LeftOutFile } from "@incipit/schema";
import { closest, distance } from "fastest-levenshtein";
import type { Looked } from "./find-items.ts";

const maxNamed = 20;
const maxShownLength = 100;

export function unknownItemMessage(
  what: "skill" | "command",
  name: string,
  { items, leftOut }: Looked<{ readonly name: string }>,
): string {
  const shown = JSON.stringify(shorten(name, maxShownLength));
  const refused = leftOut.find((one: LeftOutFile) => one.name === name && one.reason !== "shadowed");
  if (refused !== undefined) return `The ${what} ${shown} cannot be used: "${refused.path}": ${refused.detail}`;
  const names = items.map((item) => item.name);
  const missing = `There is no ${what} ${shown}`;
  if (names.length === 0) return `${missing}; this folder has none`;
  const nearest = closest(name.slice(0, maxShownLength), names);
  if (distance(name.slice(0, maxShownLength), nearest) <= Math.max(2, name.length / 2))
    return `${missing}; did you mean "${nearest}"?`;
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  return `${missing}; there are ${names
    .slice(0, maxNamed)
    .map((one) => `"${one}"`)
    .join(", ")}${more}`;
}
