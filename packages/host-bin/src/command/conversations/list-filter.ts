import { statusFilterSchema, type ArchivedFilter, type StatusFilter } from "@incipit/schema";
import { shellWord } from "@incipit/cli-text";
import { suggestion } from "@incipit/common/suggestion";
import { UsageError, type Arguments } from "../arguments/arguments.ts";

export interface ListFilter {
  readonly archived: ArchivedFilter;
  readonly status?: StatusFilter;
  readonly model?: string;
}

export function listFilterOf(
  word: string,
  { status, model }: Pick<Arguments, "status" | "model">,
  action: "list" | "search",
): ListFilter {
  return {
    archived: archivedOf(word, action),
    ...(status === undefined ? {} : { status: statusOf(status) }),
    ...(model === undefined ? {} : { model }),
  };
}

export function filtersText(given: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(given)
    .flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${shellWord(value)}`]))
    .join(" ");
}

function archivedOf(word: string, action: "list" | "search"): ArchivedFilter {
  if (word === "") return "false";
  if (word === "archived") return "true";
  if (word === "all") return "all";
  const hint = action === "search" ? "; put several words in quotes" : "";
  throw new UsageError(`"conversations ${action}" takes "archived" or "all", not "${word}"${hint}`);
}

function statusOf(word: string): StatusFilter {
  const { data } = statusFilterSchema.safeParse(word);
  if (data !== undefined) return data;
  throw new UsageError(`There is no status "${word}"${suggestion(word, statusFilterSchema.options)}`);
}
