import type { PromptReason } from "@incipit/schema";
import { amounts } from "./amounts.ts";

const { bytes, count } = amounts;

export const compareWords = {
  title: "Two prompts side by side",
  intro: "Any two versions of the template, or prompts that conversations had, in any combination.",
  sides: { left: "Left", right: "Right" },
  what: { left: "What stands on the left", right: "What stands on the right" },
  choose: "Choose…",
  versions: "Versions of the template",
  version: (version: number, time: string, note: string | null) =>
    [`Version ${count(version)}`, time, ...(note === null ? [] : [note])].join(" · "),
  versionName: (version: number) => `Version ${count(version)} of the template`,
  conversations: "Prompts of conversations",
  otherConversation: (id: string) => `Conversation ${id}`,
  prompt: { left: "Which of its prompts, on the left", right: "Which of its prompts, on the right" },
  promptOf: (place: number, reason: string, time: string) => `Prompt ${count(place)} · ${reason} · ${time}`,
  reasons: {
    "first-turn": "first turn",
    compaction: "compaction",
    "turn-refresh": "built for a turn",
    rebuild: "rebuilt",
  } satisfies Record<PromptReason, string>,
  noPrompt: "This conversation has no prompt yet: its first turn builds one.",
  removed: "With this version the stored template was taken away: there is no text.",
  size: (sizeBytes: number) => bytes(sizeBytes),
  same: "The two texts are the same, byte for byte.",
  differs: (removed: number, added: number) =>
    `${count(removed)} ${removed === 1 ? "line is" : "lines are"} on the left alone, ${count(added)} on the right alone.`,
  table: "Table of the lines that differ",
  cut: (rest: number) => `${count(rest)} more lines are not shown.`,
  link: "Side by side…",
  linkLabel: (version: number) => `Version ${count(version)} side by side with another text`,
  promptsLink: "Its prompts side by side",
} as const;
