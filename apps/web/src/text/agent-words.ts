import type { ProfileTier } from "@incipit/schema";

export const agentWords = {
  title: (name: string) => `Agent ${name}`,
  newTitle: "New agent",
  intro: "Its file as it is: what it may use between the two lines of ---, and below what it is told.",
  back: "All agents",
  label: (name: string) => `Text of ${name}`,
  newLabel: "Text of the new agent",
  name: "Name",
  where: "Where it counts",
  places: { folder: "In the host's working folder", user: "In all folders, for you" },
  configured: "It is written in the configuration, and changed there.",
  keys: "Tab leaves the editor. Ctrl+S saves.",
  save: "Save",
  discard: "Back to what is stored",
  remove: "Delete",
  removeTitle: (name: string) => `Delete ${name}?`,
  removeText: (place: string) =>
    `It is taken out of ${place} for good. Conversations that have begun keep what they were told.`,
  unsaved: "Not saved yet. This tab keeps it, over a reload too.",
  notKept: "Not saved yet, and this browser has no room to keep it.",
  stored: (place: string) => `As it is in ${place}.`,
  saved: (place: string) => `Saved in ${place}. The next new conversation with it gets it.`,
  started: "Nothing is written yet.",
  warnings: "What to look at",
  told: "What a new conversation is told",
  toldNothing: "Nothing: the model gets no system text.",
  begin: "Begin a conversation with it",
  start:
    "---\ndescription: What it is for, in one line\n# model: anthropic/claude-sonnet-4-5\n# tools: read_file, search\n---\n\nYou are a helpful assistant. Say here what it is to do, and how.\n",
  conflict: {
    title: "Somebody else has changed this agent meanwhile",
    text: "Yours is in the editor, and nothing of it is lost. This is theirs:",
    by: () => "",
    mine: "Store mine in its place",
    theirs: "Take theirs; undo brings mine back",
    later: "Go on editing",
  },
  list: {
    open: "Open",
    new: "New agent",
    problems: "Files of agents with something wrong",
    places: (place: string, tier: ProfileTier) => (tier === "user" ? `yours, at ${place}` : `written at ${place}`),
    shadowed: (place: string, reason: string) => `Does not count: ${place}: ${reason}`,
  },
  configuration: "the configuration",
  lineOf: (path: string, line: number) => `${path}, line ${line}`,
} as const;

export function agentPlace({ path, line }: { readonly path: string | null; readonly line: number | null }): string {
  if (path === null) return agentWords.configuration;
  return line === null ? path : agentWords.lineOf(path, line);
}
