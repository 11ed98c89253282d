import type { Conversation } from "@incipit/schema";
import type { JSX } from "preact";
import { words } from "../text/words.ts";
import { isUnread } from "./seen.ts";

const statuses = ["all", "unread", "needsAnswer", "running", "waiting"] as const;
type Status = (typeof statuses)[number];

export interface Filter {
  readonly status: Status;
  /** Empty: any. */
  readonly model: string;
  readonly areArchived: boolean;
}

export const noFilter: Filter = { status: "all", model: "", areArchived: false };

/** What a conversation has to be; `undefined`: nothing. */
export function fitOf({ status, model }: Filter): ((conversation: Conversation) => boolean) | undefined {
  if (status === "all" && model === "") return undefined;
  return (conversation) => hasStatus(conversation, status) && (model === "" || conversation.model === model);
}

function hasStatus(conversation: Conversation, status: Status): boolean {
  switch (status) {
    case "all":
      return true;
    case "unread":
      return isUnread(conversation);
    case "needsAnswer":
      return conversation.approvals.length > 0;
    case "running":
      return conversation.status === "running" || conversation.status === "compacting";
    case "waiting":
      return conversation.status === "waiting";
  }
}

interface FilterProps {
  readonly filter: Filter;
  /** Those that were seen in the list. */
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
