import type { JSX } from "preact";
import { Checkbox, Select } from "../controls/fields.tsx";
import { words } from "../text/words.ts";
import type { HostFilter } from "./list-conversations.ts";

const statuses = ["all", "unread", "needsAnswer", "running", "waiting"] as const;
type Status = (typeof statuses)[number];

export interface Filter {
  readonly status: Status;
  readonly model: string;
  readonly areArchived: boolean;
}

export const noFilter: Filter = { status: "all", model: "", areArchived: false };

/** Filters that the host evaluates. `unread` is missing, because only this browser knows it. */
const hostStatuses = { needsAnswer: "asking", running: "busy", waiting: "waiting" } as const;

export function hostFilterOf({ status, model, areArchived }: Filter): HostFilter {
  return {
    archived: areArchived ? "all" : "false",
    ...(status === "all" || status === "unread" ? {} : { status: hostStatuses[status] }),
    ...(model === "" ? {} : { model }),
  };
}

interface FilterProps {
  readonly filter: Filter;
  readonly models: readonly string[];
  readonly onChange: (filter: Filter) => void;
}

export function ListFilter({ filter, models, onChange }: FilterProps): JSX.Element {
  const said = words.conversations;
  const { status, model, areArchived } = filter;
  const offered = [...new Set([...models, ...(model === "" ? [] : [model])])].toSorted();
  return (
    <div class="filter">
      <Select
        aria-label={said.statusLabel}
        value={status}
        options={statuses.map((one) => [one, said.statuses[one]])}
        onChoose={(chosen) => onChange({ ...filter, status: chosen })}
      />
      <Select
        aria-label={said.modelLabel}
        value={model}
        options={[["", said.anyModel], ...offered.map((one) => [one, one] as const)]}
        onChoose={(chosen) => onChange({ ...filter, model: chosen })}
      />
      <Checkbox
        class="quiet"
        label={said.showArchived}
        isChecked={areArchived}
        onCheck={(isChecked) => onChange({ ...filter, areArchived: isChecked })}
      />
    </div>
  );
}
