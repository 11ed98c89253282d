import { under, type FieldWords } from "./field-words.ts";

const source: FieldWords = {
  tier: "`folder`: the working folder; `parent`: one above it; `user`: beside the user's configuration; `configuration`: `[profiles.NAME]`",
  path: "The absolute path of the file; `null`: it is written in the configuration",
  line: "The line on which it begins, from 1, in a file of several; `null`: the file is its own",
};

const settings: FieldWords = {
  temperature: "How freely the model chooses its words; absent: as the vendor has it",
  topP: "From which share of the likely words it chooses; absent: as the vendor has it",
  presencePenalty: "How much it avoids what was said; absent: as the vendor has it",
  frequencyPenalty: "How much it avoids what was said often; absent: as the vendor has it",
  seed: "A number with which a vendor may choose the same words again; absent: none",
  stopSequences: "Texts at which it stops; absent: none",
  maxOutputTokens: "The longest reply in tokens; absent: as the vendor has it",
  reasoningEffort: "How much it reasons; absent: as the vendor has it",
};

/** Named agents. */
export const profileWords: FieldWords = {
  "listProfiles.profiles": "Those that count, the nearest first",
  "listProfiles.problems": "What is wrong with the files in which agents are looked for",
  ...under(["Profile"], {
    name: "Its name, for `profile` of a conversation",
    description: "When to take it; `null`: it does not say",
    model: "Its model, as PROVIDER/MODEL; `null`: the host's default",
    hasSystemPrompt: "Whether it has a system prompt of its own; an empty one counts",
    problem: "What keeps its model from being used; `null`: nothing",
    source: "Where it is written",
    shadowed: "Others of its name, which do not count, the nearest first",
    warnings: "What is wrong in it without keeping it from being used, a sentence each",
  }),
  ...under(["Profile.shadowed", "ProfileSource"], source),
  "Profile.shadowed.reason": "Why it does not count",
  ...under(["Conversation.settings", "createConversation.settings", "updateConversation.settings"], settings),
  ...under(["ProfileProblem"], {
    code: "What kind of problem it is",
    path: "The file, or the folder, that it is about",
    line: "The line, from 1; `null`: all of it",
    message: "What is wrong, and what to do",
  }),
};
