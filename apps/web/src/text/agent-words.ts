import type { ProfileTier } from "@incipit/schema";

export const agentWords = {
  title: (name: string) => `Agent ${name}`,
  newTitle: "New agent",
  intro: "The agent's file: settings between the two lines of ---, and its system prompt below.",
  back: "All agents",
  label: (name: string) => `Text of ${name}`,
  newLabel: "Text of the new agent",
  name: "Name",
  where: "Where it counts",
  places: { folder: "In the host's working folder", user: "In all folders, for you" },
  configured: "It is defined in the configuration; change it there.",
  keys: "Tab leaves the editor. Ctrl+S saves.",
  save: "Save",
  discard: "Discard changes",
  remove: "Delete",
  removeTitle: (name: string) => `Delete ${name}?`,
  removeText: (place: string) =>
    `This removes it from ${place} and cannot be undone. Existing conversations keep their prompt.`,
  unsaved: "Not saved yet. This tab keeps the draft across reloads.",
  notKept: "Not saved yet, and the browser's storage is full: the draft is lost on reload.",
  stored: (place: string) => `Same as in ${place}.`,
  saved: (place: string) => `Saved in ${place}. New conversations with this agent use it.`,
  started: "Empty.",
  warnings: "Warnings",
  told: "Prompt of a new conversation",
  toldNothing: "Empty: the model gets no system prompt.",
  begin: "Start a conversation with it",
  start:
    "---\ndescription: Purpose, in one line\n# model: anthropic/claude-sonnet-4-5\n# tools: read_file, search\n---\n\nYou are a helpful assistant. Describe the agent's task here.\n",
  conflict: {
    title: "This agent was changed elsewhere",
    text: "Your version is still in the editor. This is the stored version:",
    by: () => "",
    mine: "Overwrite with mine",
    theirs: "Use the stored version (undo restores mine)",
    later: "Continue editing",
  },
  list: {
    open: "Open",
    new: "New agent",
    problems: "Agent files with errors",
    places: (place: string, tier: ProfileTier) => (tier === "user" ? `yours, at ${place}` : `defined in ${place}`),
    shadowed: (place: string, reason: string) => `Not used: ${place}: ${reason}`,
  },
  configuration: "the configuration",
  lineOf: (path: string, line: number) => `${path}, line ${line}`,
} as const;

export function agentPlace({ path, line }: { readonly path: string | null; readonly line: number | null }): string {
  if (path === null) return agentWords.configuration;
  return line === null ? path : agentWords.lineOf(path, line);
}
