import type { TurnStatus } from "@incipit/schema";

const words: Readonly<Record<TurnStatus, string>> = {
  completed: "The turn is over",
  failed: "The turn failed",
  cancelled: "The turn was stopped",
  interrupted: "The turn was interrupted",
};

/** How a turn ended, and why where that is known. */
export function turnEndText(status: TurnStatus, error: { readonly message: string } | undefined): string {
  return `${words[status]}${error === undefined ? "" : `: ${error.message}`}`;
}
