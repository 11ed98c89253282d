import type { OptionName } from "./options.ts";

export const talkOptions = [
  "allow",
  "isContinued",
  "conversation",
  "cwd",
  "effort",
  "model",
  "profile",
  "system",
  "systemMode",
] as const satisfies readonly OptionName[];
export const askOptions = [
  ...talkOptions,
  "files",
  "maxCost",
  "maxSteps",
  "answerPath",
  "isQuiet",
  "schemaPath",
  "timeoutMs",
] as const satisfies readonly OptionName[];

export type TalkOption = (typeof talkOptions)[number];
export type AskOption = (typeof askOptions)[number];
