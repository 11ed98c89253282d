import { encodingLabel } from "@incipit/schema";
import type { ToldRule } from "./import-expander.ts";
import type { LeftOutVariableFile } from "@incipit/service-contract";

const maxNamed = 20;

export function ruleDetail(told: readonly ToldRule[], left: readonly LeftOutVariableFile[]): string {
  const files = told.map(
    ({ file: { path, sizeBytes, encoding }, trust }) =>
      `${JSON.stringify(path)} (${[
        `${sizeBytes} bytes`,
        ...(encoding === "utf-8" ? [] : [`read as ${encodingLabel(encoding)}`]),
        ...(trust === null || trust === "trusted" ? [] : [trust]),
      ].join(", ")})`,
  );
  const others = left.map(({ path, why }) => `${JSON.stringify(path)}: ${why}`);
  return [listed("", files), listed("left out: ", others)].filter((part) => part !== "").join("; ");
}

function listed(opening: string, items: readonly string[]): string {
  if (items.length === 0) return "";
  const more = items.length > maxNamed ? [`${items.length - maxNamed} more`] : [];
  return `${opening}${[...items.slice(0, maxNamed), ...more].join(", ")}`;
}
