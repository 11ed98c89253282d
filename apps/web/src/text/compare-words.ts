import type { PromptReason } from "@incipit/schema";
import { amounts } from "./amounts.ts";

const { bytes, count } = amounts;

export const compareWords = {
  title: "Two prompts side by side",
  intro: "Compares any two versions of the template or prompts of conversations.",
  sides: { left: "Left", right: "Right" },
  what: { left: "Text on the left", right: "Text on the right" },
  choose: "Choose…",
  versions: "Versions of the template",
  version: (version: number, time: string, note: string | null) =>
    [`Version ${count(version)}`, time, ...(note === null ? [] : [note])].join(" · "),
  versionName: (version: number) => `Version ${count(version)} of the template`,
  conversations: "Prompts of conversations",
  otherConversation: (id: string) => `Conversation ${id}`,
  prompt: { left: "Prompt on the left", right: "Prompt on the right" },
  promptOf: (place: number, reason: string, time: string) => `Prompt ${count(place)} · ${reason} · ${time}`,
  reasons: {
    "first-turn": "first turn",
    compaction: "compaction",
    "turn-refresh": "built for a turn",
    rebuild: "rebuilt",
  } satisfies Record<PromptReason, string>,
  noPrompt: "This conversation has no prompt yet: its first turn builds one.",
  removed: "This version removed the stored template: there is no text.",
  size: (sizeBytes: number) => bytes(sizeBytes),
  same: "The two texts are identical.",
  differs: (removed: number, added: number) =>
    `${count(removed)} ${removed === 1 ? "line is" : "lines are"} only on the left, ${count(added)} only on the right.`,
  table: "Table of differing lines",
  cut: (rest: number) => `${count(rest)} more lines are not shown.`,
  link: "Side by side…",
  linkLabel: (version: number) => `Version ${count(version)} side by side with another text`,
  promptsLink: "Its prompts side by side",
} as const;
