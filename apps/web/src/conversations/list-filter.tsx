import type { JSX } from "preact";
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

/** Only this browser knows `unread`. */
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
      <select
        aria-label={said.statusLabel}
        value={status}
        onChange={({ currentTarget }) => {
          const chosen = statuses.find((one) => one === currentTarget.value);
          onChange({ ...filter, status: chosen ?? "all" });
        }}
      >
        {statuses.map((one) => (
          <option key={one} value={one}>
            {said.statuses[one]}
          </option>
        ))}
      </select>
      <select
        aria-label={said.modelLabel}
        value={model}
        onChange={({ currentTarget }) => onChange({ ...filter, model: currentTarget.value })}
      >
        <option value="">{said.anyModel}</option>
        {offered.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      <label class="quiet">
        <input
          type="checkbox"
          checked={areArchived}
          onChange={({ currentTarget }) => onChange({ ...filter, areArchived: currentTarget.checked })}
        />
        {said.showArchived}
      </label>
    </div>
  );
}
