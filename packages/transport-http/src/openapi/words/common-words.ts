import { under, type FieldWords } from "./field-words.ts";

export const askerFields: FieldWords = {
  kind: "`host`: a tool of the host's own; `server`: a configured MCP server; `client-server`: an MCP server that a client brings along; `provider`: a model provider that runs tools; `extension`: an added extension",
  extension: "The id of the extension whose code asks",
  name: "The name of the server or provider; for `host` and `extension` the id of the source that lists the tool; absent: there is none",
  identity:
    "A digest of the command or address of a server or an agent; what was allowed for another one of its name does not count",
};

/** Fields with the same meaning in every schema. */
export const commonWords: FieldWords = {
  asker: "Who asks, as the host knows it: nothing in it comes from a tool, a server or a model",
  ...under(["asker"], askerFields),
  turnId: "The id of the turn",
  stepId: "The id of the model call",
  conversationId: "The id of the conversation",
  questionId: "The id of the question, with which it is answered",
  approvalId: "The id of the question, with which it is answered",
  toolCallId: "The id of the tool call, the same in the call, in its result and in its events",
  nextCursor: "Send it as `cursor` for the next page; absent: this is the last one",
  createdAt: "When it was made, in UTC",
  updatedAt: "When it was last changed, in UTC",
  startedAt: "When it began, in UTC",
  endedAt: "When it ended, in UTC; `null`: it has not",
  constructedAt: "When the prompt was constructed, in UTC",
  at: "When it happened, in UTC",
  cwd: "The working folder: an absolute path on the host's machine",
  sizeBytes: "Its size in bytes; of a text, as UTF-8",
  templateVersion: "The version of the stored template that it was made from; `null`: from none that is stored",
  isImported: "It came with an export: nobody here constructed it, and how it came about is what its sender says",
  maxSteps:
    "How many model calls the turn may have, where that is fewer than the host allows; absent: as many as that",
  maxCost:
    "US dollars: once the turn's model calls and those of its tasks have cost as much, no other one begins, and the turn fails as `MAX_COST`; a model without a known price fails it as `PRICE_UNKNOWN`; absent: no bound",
  systemMode:
    "Whether the system texts of this call stand in place of the prompt (`replace`, the default) or behind it (`append`)",
  attempts: "How many requests left the host for it: more than 1 when it was tried again",
  requestSha256: "The SHA-256 of the last request's body; `null`: none left the host",
  requestSizeBytes: "The size of that body in bytes; `null`: none left the host",
  systemSha256: "The SHA-256 of the system texts, joined with a blank line; `null`: none was sent",
  finishReason: "Why the reply ended; `null`: there was none",
  responseId: "The vendor's own id of the reply; `null`: it says none",
  responseModel: "The model that answered, as the vendor names it; `null`: it does not say",
  prices: "The model's prices as they were known when it was sent; `null`: they were not",
  usage: "The tokens as the vendor counted them; `null`: it has counted none",
  estimatedUsage:
    "The tokens of a call whose reply began and which the vendor did not count, as the host estimates them; absent: it was counted, or no reply began",
  "estimatedUsage.inputTokens": "The tokens of the input, estimated by its length",
  "estimatedUsage.outputTokens": "The tokens of the reply until its end, estimated by its length",
  durationMs: "How long it took, in milliseconds; `null`: not known",
  deleted: "Always `true`: nothing of it is stored any more",
  "tokens.method":
    "How they were counted: with the encoding `o200k_base`, or as a quarter of the bytes (`estimate`)",
  "tokens.count": "How many tokens",
  "hunks.oldStart": "The first line of it in the old text, from 1",
  "hunks.oldLines": "How many lines of the old text it takes",
  "hunks.newStart": "The first line of it in the new text, from 1",
  "hunks.newLines": "How many lines of the new text it takes",
  "hunks.lines":
    "The lines without their ends, each behind a space (same), `-` (old) or `+` (new), or a note that the last line has no end",
  unified: "The same as a unified diff, as `patch` takes it; empty: the texts are the same",
  isMinimal: "`false`: the texts differ in too much to look for the fewest lines, and all of it is one hunk",
  ...under(["redactions"], {
    place: "Where it was left out: `body`, `url`, `headers.NAME` or `system`",
    kind: "What kind of secret; `[redacted:KIND]` stands in its place",
    count: "How many there were",
  }),
  ...under(["Error", "OpenAiError"], {
    error: "What went wrong",
    "error.message": "What was wrong, and what to do, in words that may change",
  }),
  ...under(["Error"], {
    "error.code": "What went wrong, as a code that stays the same from version to version",
    "error.details": "More about it, by code; absent: there is no more",
    "error.next": "What can be done about it, as data; absent: nothing in particular",
  }),
  ...under(["OpenAiError"], {
    "error.type": "The kind of error, as OpenAI's clients expect it",
    "error.param": "The field of the body that is wrong; `null`: it is not about one",
    "error.code": "The code that other routes answer with; `null`: there is none",
  }),
  ...under(["NextAction"], {
    action: "What to do next",
    conversationId: "In which conversation; `null`: any will do",
  }),
  ...under(["Failure"], {
    code: "What went wrong, as a code to decide by",
    message: "What went wrong, in words",
  }),
  ...under(["Usage"], {
    inputTokens:
      "All tokens of the input, those read from the cache or written to it among them; `null`: not reported",
    outputTokens: "The tokens of the reply; `null`: not reported",
    cacheReadTokens: "The tokens of the input that the vendor read from its cache; `null`: not reported",
    cacheWriteTokens: "The tokens of the input that the vendor wrote to its cache; `null`: not reported",
    reasoningTokens: "The tokens of the output that were reasoning; absent: not reported",
    costUsd: "US dollars that the vendor says it charges; absent: not reported",
  }),
  ...under(["ModelPrices", "ModelPrices.longInput"], {
    input: "US dollars for a million tokens of input",
    output: "US dollars for a million tokens of output",
    cacheRead: "US dollars for a million tokens of input that the vendor read from its cache; `null`: not known",
    cacheWrite: "US dollars for a million tokens of input that the vendor wrote to its cache; `null`: not known",
  }),
  ...under(["ModelPrices"], {
    longInput: "What all of a call costs whose input is long; absent: no more than others",
    "longInput.aboveTokens": "These prices count when the input has more tokens than this",
  }),
  ...under(["ModelFacts"], {
    contextWindow: "How many tokens one call may have, its reply included; `null`: not known",
    maxOutputTokens: "How many tokens a reply may have; `null`: not known",
    prices: "List prices; `null`: not known",
    inputs: "What the model takes in; text always",
    reasoningEfforts:
      "The levels of reasoning effort that the model has, least first; empty: none. Absent: not known",
    source: "Where this is from: a catalogue with its date, or the configuration",
  }),
};
