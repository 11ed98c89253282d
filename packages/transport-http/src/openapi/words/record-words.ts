import { under, type FieldWords } from "./field-words.ts";

const callFacts = {
  status: "How the call is, or ended; `interrupted`: the host ended before it did",
  model: "The model that was called, as PROVIDER/MODEL",
  error: "What went wrong; `null`: nothing",
};
const unaskedCall = {
  name: "The name of the tool",
  allowedBy: "By what it ran, such as `shell(git status:*) of the turn`",
};
const differenceReason = "Why its request does not begin as the one before did; `null`: it does";

/** Fields of recorded requests, costs and cache breaks. */
export const recordWords: FieldWords = {
  ...under(["AuditSummary"], {
    steps: "How many model calls sent something",
    held: "How many of them began with all of the request before",
    expected: "How many did not, by a compaction or a rebuild that somebody asked for",
    broken: "How many did not, and should have",
    reasons: "How many calls had which reason, those that were expected among them",
    previousBytes: "The bytes of all requests that have another one behind them",
    sharedBytes: "How many of those bytes the request behind had in their place",
    share: "`sharedBytes` / `previousBytes`, from 0 to 1; `null`: no request has one before it",
    tokens: "The tokens as vendors reported them, added up",
    "tokens.input": "All of the input; `null`: no vendor reported it",
    "tokens.cacheRead": "The input that was read from a cache; `null`: no vendor reported it",
    "tokens.cacheWrite": "The input that was written to a cache; `null`: no vendor reported it",
    unreportedSteps: "How many calls are in none of these sums, as their vendor reported no tokens",
    inputUsd: "What the input of the calls with a known price came to, in US dollars; `null`: there are none",
    "inputUsd.billed": "With the vendors' caches as they were",
    "inputUsd.isAtMost":
      "Whether `billed` is an upper bound, as a vendor did not report what it read from its cache; absent: it is not",
    "inputUsd.withoutCache": "As if there were no cache",
    "inputUsd.wasted": "What broken calls cost more than unbroken ones would have",
    pricedSteps: "How many calls are in `inputUsd`",
    firstStepAt: "When the first of them began, in UTC; `null`: there is none",
    lastStepAt: "When the last of them began, in UTC; `null`: there is none",
  }),
  ...under(["AuditedStep", "Step"], {
    id: "The id of the model call",
    epoch: "The epoch that it belongs to, from 1; each compaction begins the next",
    purpose: "Whether it answered a turn, or summed up the history",
    model: "The model that was called, as PROVIDER/MODEL",
    prefix:
      "How its request compares with the one before, byte by byte; `null`: nothing left the host, or it was not measured",
    unaskedCalls: "Calls of its reply that ran without a question which they would have needed; absent: none",
    ...under(["unaskedCalls"], unaskedCall),
  }),
  ...under(["Step"], {
    compactionInstructions: "Of a compaction, what the user asked of the summary; absent: nothing",
  }),
  ...under(["AuditedStep"], {
    verdict:
      "Whether it began with all of the request before (`held`), not, as somebody asked for that (`expected`), or not (`broken`); `first`: there is none before; `unsent`: nothing left the host",
    reason: differenceReason,
    share:
      "How much of the request before stands at its beginning, from 0 to 1; `null`: none before, or not measured",
    inputUsd: "What its input came to, in US dollars; `null`: no price is known, or the vendor counted nothing",
    "inputUsd.billed": "With the vendor's cache as it was",
    "inputUsd.isAtMost":
      "Whether `billed` is an upper bound, as the vendor did not report what it read from its cache; absent: it is not",
    "inputUsd.withoutCache": "As if there were no cache",
    "inputUsd.unbroken":
      "As if it had begun with all of the request before, an estimate; `null`: there is nothing to compare with",
    warning: "What broke it, and what to do; `null`: nothing is wrong",
    "warning.message": "What broke it",
    "warning.hint": "What to do",
  }),
  ...under(["Step"], {
    parts:
      "The parts of the request from the first on that the one before had not sent: `tools`, `system`, `message:0` …",
    "parts.part": "Which part it is",
    "parts.sha256": "The SHA-256 of its JSON",
    firstDifference:
      "The first part that is not what the request before had; `null`: it begins with all of that one",
    differenceReason,
    requestTierSha256:
      "The SHA-256 of the system texts that came with the call, and of how they were placed; `null`: there were none",
    isPromptBuilderAbsent: "Whether no prompt builder was loaded when it was sent",
    instructions:
      "How an agent of others with a session of its own was told the system text; `null`: there was none, or the request has it where its vendor has it",
    "instructions.by":
      "In the `systemPrompt` field of the session (`system-prompt`), in its `_meta` (`meta`), or as a block of text before what the user says (`block`)",
    "instructions.told": "With this request (`now`), or with an earlier one of the same session (`before`)",
    error: callFacts.error,
  }),
  ...under(["StepPrefix"], {
    measure: "Whether the bytes that left the host were compared (`body`), or the hashes of whole parts (`parts`)",
    sizeBytes: "The bytes of this request, without the brackets that close it and without marks for the cache",
    previousBytes: "The same of the request before; `null`: there is none",
    sharedBytes: "How many of those bytes this request has in their place",
    difference: "The first byte that differs; `null`: none does, or it is not known",
    "difference.part": "The part that it stands in",
    "difference.partByte": "Its place in the JSON of that part, from 0",
    "difference.bodyByte": "Its place in the body, from 0",
    changes:
      "What in the prompt is not as it was, the first that differs first, such as `[system:time]` or `template`",
    promptReason: "Why the prompt was constructed anew; `null`: it was not",
    dropsThinking:
      "Whether the vendor drops earlier thinking because what stood before it differs; absent: it does not",
  }),
  ...under(["StepRequest"], {
    method: "The HTTP method",
    url: "The address that it was sent to",
    headers: "The headers that were sent, by name",
    body: "The body as it was sent, byte for byte unless `isRedacted`",
    sha256: "The SHA-256 of the body that was sent",
    storedSha256: "The SHA-256 of `body`",
    isRedacted: "Whether secrets were left out of it",
    redactions: "What was left out",
    at: "When it was sent, in UTC",
  }),
  ...under(["StepRecord"], {
    conversation: "The conversation that it belongs to",
    "conversation.id": "The id of the conversation",
    "conversation.title": "Its title; `null`: it has none",
    "conversation.model": "Its own model, as PROVIDER/MODEL",
    "conversation.profile": "Its profile; `null`: none",
    "conversation.epoch": "The epoch that it is in, from 1",
    step: "The model call",
    request: "The request as it was sent; `null`: it is not kept",
    requestProblem: "Why there is no request; `null`: there is one",
    systemTexts: "The system texts that were sent, in order; `null`: they are not kept",
    tools: "The tools that the model was told of; `null`: they are not kept",
    deferredTools: "Servers whose tools the model could look up beside them",
    "deferredTools.server": "The server of tools, or the id of an extension",
    "deferredTools.count": "How many tools of it could be looked up",
    "deferredTools.reason":
      "`configured`: its `defer` says so; `no-room`: they do not fit into `tools.shown_max_bytes` and `tools.shown_max`; `too-many`: no request can name them all",
    "tools.name": "The name of the tool",
    "tools.description": "What the model was told of it",
    "tools.inputSchema": "JSON Schema of the arguments",
    messages: "What was sent of the conversation, oldest first; `null`: it is not kept",
    reply: "What the model said, of a compaction the summary; `null`: nothing that is kept",
    explain: "How the system text came about; `null`: the conversation keeps another one by now",
    audit: "How its request compares with the one before, and what that cost",
    redactions: "What was left out of the record as it is shown here",
  }),
  ...under(["Replay"], {
    id: "The id of the replay",
    original: "What the model of the recorded call answered",
    replay: "What the other model answered; `null`: it is running, or the host ended before it did",
    callId: "The record of the other model's call, which has the exact request; `null`: none was made",
    notes: "What could not be the same in both calls, a sentence each",
  }),
  ...under(["Replay.original", "Replay.replay"], {
    model: "The model that answered, as PROVIDER/MODEL",
    parts: "What it answered; calls of tools are shown, and none is run",
    error: "What went wrong; `null`: nothing",
    costUsd:
      "What input and output came to, in US dollars; `null`: no price is known, or the vendor counted nothing",
    isCostAtMost:
      "Whether `costUsd` is an upper bound, as the vendor did not report what it read from its cache; absent: it is not",
  }),
  ...under(["ModelCall"], {
    ...callFacts,
    id: "The id of the call",
    profile: "The profile that it named; `null`: none",
  }),
  "listCalls.calls": "The calls, newest first",
  "getCall.call": "The call",
  ...under(["explainCall"], {
    systemTexts: "The system texts in order, one system message each where the vendor takes several",
    explain: "How they came about, joined with a blank line; `null`: no prompt builder was loaded",
    isRedacted: "Whether secrets were left out of what is kept; places and hashes are those of what was sent",
  }),
  ...under(["getCallParts"], {
    parts:
      "The parts in the order in which vendors key their caches; none: the vendor writes them in a way that is not known here",
    "parts.kind": "What the part is",
    "parts.name": "The tool's name, or who says the message; `null`: it has none",
    "parts.sizeBytes": "The size of its JSON in the body, in bytes",
    "parts.hasFile": "Whether a picture or another file is in it, whose tokens are not in proportion to its bytes",
    "parts.beginning": "How its text begins, in one line; empty: it has none",
  }),
  "listSteps.steps": "The model calls, oldest first",
  ...under(["auditConversation"], {
    steps: "The model calls of this page, oldest first",
    summary: "The sum of all calls of the conversation",
  }),
  ...under(["auditConversations"], {
    conversations: "Conversations with a model call, newest first, archived ones too",
    "conversations.id": "The id of the conversation",
    "conversations.title": "Its title; `null`: it has none",
    "conversations.model": "Its own model, as PROVIDER/MODEL",
    "conversations.profile": "Its profile; `null`: none",
    "conversations.archived": "Whether it is archived",
    "conversations.summary": "The sum of its model calls",
    totals: "The sum of the conversations of this page: add up those of all pages",
  }),
  ...under(["listCosts"], {
    costs: "What calls came to by day, model and conversation; what two pages have of the same is to be added up",
    "costs.day": "The day in the time zone that was asked for, as YYYY-MM-DD",
    "costs.model": "The model, as PROVIDER/MODEL",
    "costs.conversation": "The conversation; `null`: calls that belong to none",
    "costs.conversation.id": "The id of the conversation",
    "costs.conversation.title": "Its title; `null`: it has none",
    "costs.calls": "How many calls sent something",
    "costs.broken": "How many of them broke the prefix of the one before",
    "costs.tokens": "The tokens as the vendors reported them, added up",
    "costs.tokens.input": "The tokens of the input",
    "costs.tokens.cacheRead": "How many of those were read from a cache",
    "costs.tokens.output": "The tokens of the output",
    "costs.unreported": "How many calls are in none of these sums, as their vendor reported no tokens",
    "costs.usd": "What the calls with a known price came to, in US dollars",
    "costs.usd.total": "Input and output, at the prices that were known when they were sent",
    "costs.usd.isAtMost":
      "Whether `total` is an upper bound, as a vendor did not report what it read from its cache; absent: it is not",
    "costs.usd.wasted": "What broken prefixes cost of it",
    limits: "The caps of `[limits]`, in US dollars, and what the day's cap is compared with",
    "limits.maxUsdPerConversation": "What a conversation may cost with its tasks; `null`: no cap",
    "limits.maxUsdPerDay": "What all model calls of a day may cost; `null`: no cap",
    "limits.today": "The local day of the host, as `YYYY-MM-DD`",
    "limits.spentToday": "What the calls of that day have cost, those of deleted conversations among them",
    "limits.spentToday.tokens": "Input and output tokens, as far as the vendors report them",
    "limits.spentToday.isAtMost":
      "Whether `usd` is an upper bound, as a vendor did not report what it read from its cache; absent: it is not",
    "costs.unpriced": "How many calls are in no sum of money, as no price is known or too little was reported",
  }),
  "replayStep.model": "The model that is to answer, as PROVIDER/MODEL",
  "replayStep.replay": "Both answers",
  "listReplays.replays": "The replays, oldest first",
};
