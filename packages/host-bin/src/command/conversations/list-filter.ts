import { shellWord } from "@incipit/cli-text";
import type { ArchivedFilter, StatusFilter } from "@incipit/schema";
import type { OptionsOf } from "../registry/options.ts";

export interface ListFilter {
  readonly archived: ArchivedFilter;
  readonly status: StatusFilter | undefined;
  readonly model: string | undefined;
}

const archivedFilters = { archived: "true", all: "all" } as const;

export function listFilterOf(
  archived: keyof typeof archivedFilters | undefined,
  { status, modelFilter: model }: OptionsOf<"status" | "modelFilter">,
): ListFilter {
  return {
    archived: archived === undefined ? "false" : archivedFilters[archived],
    status,
    model,
  };
}

export function filtersText(given: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(given)
    .flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${shellWord(value)}`]))
    .join(" ");
}
