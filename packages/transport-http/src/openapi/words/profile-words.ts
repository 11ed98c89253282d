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

export const profileWords: FieldWords = {
  "listProfiles.profiles": "Those that count, the nearest first",
  "listProfiles.problems": "What is wrong with the files in which agents are looked for",
  ...under(["Profile", "WrittenProfile"], {
    name: "Its name, for `profile` of a conversation",
    description: "When to take it; `null`: it does not say",
    model: "Its model, as PROVIDER/MODEL; `null`: the host's default",
    hasSystemPrompt: "Whether it has a system prompt of its own; an empty one counts",
    problem: "What keeps its model from being used; `null`: nothing",
    source: "Where it is written",
    shadowed: "Others of its name, which do not count, the nearest first",
    warnings: "What is wrong in it without keeping it from being used, a sentence each",
  }),
  ...under(["Profile.shadowed", "WrittenProfile.shadowed", "ProfileSource"], source),
  ...under(["Profile.shadowed", "WrittenProfile.shadowed"], { reason: "Why it does not count" }),
  ...under(
    [
      "Conversation.settings",
      "createConversation.settings",
      "updateConversation.settings",
      "WrittenProfile.settings",
    ],
    settings,
  ),
  ...under(["WrittenProfile"], {
    systemPrompt: 'Its template; `null`: the host\'s own, `""`: none',
    append: "A template behind the prompt; `null`: none",
    tools: "Which tools its conversations have",
    "tools.allowed": "Those that they have; `null`: all of them",
    "tools.asked": "Those for which a person is asked before each call",
    "tools.denied": "Those that they do not have, also where they are allowed",
    mcpServers: "The servers of tools whose tools its conversations have; `null`: all of them",
    skills: "The skills that its conversations are told of and can open; `null`: all of them",
    settings: "What each of its model calls asks for",
    budget: "What its turns may cost on one day that no person has asked for",
    "budget.maxUsdPerDay": "In US dollars; `null`: no bound of its own",
    "budget.maxTokensPerDay": "In tokens; `null`: no bound of its own",
  }),
  ...under(["ProfileText"], {
    profile: "The agent",
    text: "What its file has of it, keys and prompt; of a file with several, its own part. `null`: it is one of the configuration",
    etag: "The header `ETag` with its quotes, to be sent as `If-Match`; `null`: it has no text",
  }),
  "putProfile.text": "All that its file is to have of it: keys and prompt",
  "putProfile.cwd": "The working folder, absolute; absent: the host's own",
  "putProfile.user": "Of a new one: whether it is one of the user's, for all folders; absent: the working folder's",
  ...under(["ProfileProblem"], {
    code: "What kind of problem it is",
    path: "The file, or the folder, that it is about",
    line: "The line, from 1; `null`: all of it",
    message: "What is wrong, and what to do",
  }),
};
