import { under, type FieldWords } from "./field-words.ts";

const question = {
  name: "The name of the tool that is to be called",
  input: "The arguments as the model wrote them: a JSON text",
  isPreviewCut:
    "The preview was cut, and the input does not say all that would run: the call can only be denied; absent: all of it is there",
  preview: "What the call would change, as the tool tells it, such as a unified diff; absent: it tells nothing",
  why: "Why a person is asked whatever was allowed before; absent: as for any other call",
  forFolder:
    "The folder in whose later conversations `allow-always` may hold, too; absent: nobody trusts it, or nobody watches the call",
  scopes: "What `allow-always` may stand for, narrowest first; absent: it is as `allow`",
  "scopes.id": "What the answer names as its `scope`; `tool`: every call of the tool",
  "scopes.label": "What it is, in a few words",
  "scopes.covers": "All that is not asked about any more in this conversation, as a person reads it",
  "scopes.grants": "The same as grants, such as `shell(git status:*)`, as a configuration or a turn takes them",
  expiresAt: "Without an answer until then, the call is denied; in UTC",
  folder:
    "The folder that tools of an imported conversation would use: the question is whether they may; absent: it is about the call",
};
const partId = "The id of the part of the reply that the text belongs to, within its model call";

const cutReason =
  "Why the reply of a completed turn is not whole: its output limit (`length`), or its vendor refused it or the rest of it (`content-filter`); absent: it is whole";
const cutExplanation = "The vendor's own words for it; absent: it gives none";

/** Fields of conversations, their messages, and turn events. */
const givenSystem = (otherwise: string): string =>
  `System texts of each prompt that is constructed for it, at its first turn and behind each compaction, sent as they are; ${otherwise}`;
const givenMode =
  "Whether they are the base of the prompt (`replace`, the default), or stand behind the base (`append`)";

export const conversationWords: FieldWords = {
  ...under(["Conversation"], {
    id: "The id of the conversation",
    model: "The model that answers unless a turn names another one, as PROVIDER/MODEL",
    profile: "The profile that it was begun with; `null`: none",
    title: "A line by which people know it; `null`: nobody gave one, and no message with text was sent",
    forkedFrom: "Where it branched off another conversation; `null`: it is not a fork",
    "forkedFrom.conversationId": "The conversation that it branched off",
    "forkedFrom.messageId": "The last message that both have; `null`: it branched off before the first",
    parent: "The call of a tool whose task it works on; `null`: it is not a task",
    "parent.conversationId": "The conversation in which that call is",
    "parent.turnId": "The turn in which that call is",
    "parent.depth": "How deep in tasks it is; 1: its caller is not a task itself",
    importedAt:
      "When it came as an export, or its source did, in UTC: its tools ask for the folder first; `null`: it was had here",
    archived: "Whether it is left out of lists and searches that do not ask for it",
    deletedAt:
      "When a person deleted it, who can still take that back, in UTC: it takes no message; absent: nobody has",
    allowedTools: "The tools that it may use, by name, or by how names begin (`files__*`); `null`: all of them",
    askedTools:
      "The tools of which a person is asked before each call, whatever the tool says, as its profile had it when it began; absent: as the tools say",
    deniedTools: "The tools that it has not, as its profile had it when it began; absent: none",
    mcpServers: "The servers of tools whose tools it has, as its profile had it when it began; absent: all of them",
    skills: "The skills that it is told of and can open, as its profile had it when it began; absent: all of them",
    settings:
      "What each call of its turns asks for, as its profile had it when it began, or as it was given; absent: nothing",
    epoch: "How often its history began anew: 1, and one more with each compaction",
    lastSeq: "The number of its newest event; 0: there is none yet",
    status:
      "What happens in it at this moment; `waiting`: turns that were queued when the host ended wait for somebody to resume them",
    approvals: "The tool calls that wait for a person's answer, oldest first",
    questions: "What tool calls ask a person, and is not answered yet, oldest first",
  }),
  ...under(["Approval", "ApprovalRequestEvent"], question),
  ...under(["Question", "QuestionRequestEvent"], {
    from: "The name of the asker: that of its server or provider, else the id of its extension",
    message: "What it asks, in its own words",
    fields: "What it asks for, in this order; none: whether, and no more",
    expiresAt: "Without an answer until then, it is cancelled; in UTC",
  }),
  ...under(["QuestionField"], {
    kind: "What kind of value it is",
    name: "The key of its value in the answer",
    title: "What people read in the place of the name; absent: the name",
    description: "More about it, for people; absent: nothing",
    isRequired: "Whether an answer has to have it",
    looksSecret: "`true`: it seems to be a secret, for which nobody should be asked this way; absent: it does not",
    format: "What the text has to be; absent: any text",
    minLength: "How many characters it needs; absent: none",
    maxLength: "How many characters it may have; absent: as many as it takes",
    default: "What it is if nothing else is said; absent: nothing is suggested",
    isInteger: "Whether it has to be a whole number",
    minimum: "The least that it may be; absent: there is no least",
    maximum: "The most that it may be; absent: there is no most",
    options: "What can be chosen",
    "options.value": "What stands for it in the answer",
    "options.title": "What people read",
    minItems: "How many have to be chosen; absent: none",
    maxItems: "How many may be chosen; absent: all",
  }),
  ...under(["QuestionEndEvent"], {
    action:
      "`accept`: a person gave the values; `decline`: a person does not want to; `cancel`: there is no answer",
    reason: "How it came to that; all but `answered` are a `cancel` that nobody spoke",
  }),
  ...under(["Message"], {
    id: "The id of the message",
    role: "Who says it: the `user`, the model (`assistant`), or tools with their results (`tool`)",
    parts: "What it says, in order",
    turnId: "The turn that it belongs to",
    epoch: "The epoch that it belongs to, from 1; each compaction begins the next",
    carriedFrom:
      "The message of the epoch before that it repeats, as it had not been answered yet; absent: it repeats none",
    model: "The model that said it, as PROVIDER/MODEL; only messages of the assistant have it",
    turnEnd:
      "How its turn ended; only the newest message of a turn that was not completed, or whose reply is not whole, has it",
    "turnEnd.status": "How the turn ended; `interrupted`: the host ended before it did",
    "turnEnd.error": "What went wrong, where it is `failed`; absent: nothing",
    "turnEnd.cutReason": cutReason,
    "turnEnd.cutExplanation": cutExplanation,
  }),
  ...under(["ToolResultPart.files"], { type: "What kind of part it is: a file" }),
  ...under(["Part"], {
    type: "What kind of part it is",
    metadata: "What the vendor wants back with it, by the vendor's key; absent: nothing",
  }),
  ...under(["TextPart"], { text: "The text" }),
  ...under(["ReasoningPart"], { text: "The reasoning; empty: the vendor shows nothing of it" }),
  ...under(["FilePart", "CreateTurnRequest.input", "ToolResultPart.files"], {
    mediaType: "The media type in small letters, without parameters, such as `image/png`",
    data: "The content in base64",
    filename: "The file's name, without a path; absent: it has none",
  }),
  ...under(["FilePart", "ToolResultPart.files"], {
    removedAt: "Since when models are only told of it; absent: they get it",
  }),
  ...under(["ToolCallPart"], {
    name: "The name of the tool",
    input: "The arguments as the model wrote them, byte for byte: a JSON text",
  }),
  ...under(["ToolResultPart"], {
    name: "The name of the tool",
    output: "What the tool gave, as the model got it",
    isError: "Whether the call failed",
    files: "Pictures and other files that came with the output, in their order; absent: none",
  }),
  ...under(["Event"], {
    type: "What kind of event it is",
    seq: "Its number in the conversation: from 1, without a gap",
    turnId: "The turn that it belongs to; a compaction that was asked for has an id of its own",
    at: "When it happened, in UTC",
  }),
  ...under(["ApprovalEndEvent"], {
    decision: "What was decided; `allow-always`: in this conversation the tool is not asked about again",
    reason: "How it came to that; all but `answered` are a `deny` that nobody spoke",
  }),
  ...under(["CompactionStartEvent"], {
    reason: "Whether somebody asked for it, or the conversation filled its share of the model's window",
  }),
  ...under(["CompactionEndEvent"], {
    status: "How it ended; unless it is `completed`, nothing was changed",
    error: "What went wrong; absent: nothing",
    epoch: "The epoch that has begun; absent: none has",
    messageId: "The message that has the summary; absent: there is none",
  }),
  ...under(["PromptResolveEvent"], {
    sha256: "The SHA-256 of the prompt's text",
    reason: "Why it was constructed",
  }),
  ...under(["ToolsResolveEvent"], {
    sha256: "The SHA-256 of the JSON of the definitions, which each request of the epoch has",
    count: "How many tools they are",
    deferred:
      "Servers whose tools are not among them, and are looked up when they are needed; absent: there are none",
    "deferred.server": "The server of tools, or the id of an extension",
    "deferred.count": "How many tools of it are looked up",
    "deferred.reason":
      "`configured`: its `defer` says so; `no-room`: they do not fit into `tools.shown_max_bytes` and `tools.shown_max`; `too-many`: no request can name them all",
    problems: "What is not among them, and why, a sentence each",
  }),
  ...under(["StepStartEvent"], { model: "The model that is called, as PROVIDER/MODEL" }),
  ...under(["StepRetryEvent"], {
    attempt: "The number of the try that failed, from 1",
    waitMs: "How long the host waits before the next one, in milliseconds",
    error: "Why it failed",
  }),
  ...under(["FolderNoticeEvent"], {
    message: "Why the working folder cannot be used, and what to do, in one line",
  }),
  ...under(["SpendingNoticeEvent"], {
    reason: "Whether a cap of `[limits]` is near, or the cost of a model is not known",
    message: "What is spent, which key holds the cap, or what is missing, for people",
  }),
  ...under(["StepEndEvent"], {
    usage: "The tokens of the model call as the vendor counted them",
    finishReason: "Why the reply ended",
  }),
  ...under(["TextStartEvent", "ReasoningStartEvent"], { partId, text: "What is there of the text already" }),
  ...under(["TextDeltaEvent", "ReasoningDeltaEvent"], {
    partId,
    text: "What comes behind the text so far",
    fromSeq: "This delta stands for the events from this number to `seq`; absent: for one",
  }),
  ...under(["TextEndEvent", "ReasoningEndEvent"], { partId, text: "The whole text of the part" }),
  ...under(["ToolCallStartEvent"], {
    name: "The name of the tool; `call_tool` where the model runs one that it has looked up, which later events name",
  }),
  ...under(["ToolCallProgressEvent"], {
    name: "The name of the tool",
    progress: "How far the call is, as the tool says",
    total: "What `progress` is when the call is done; absent: nobody knows",
    message: "What it is at, in one line; absent: the tool says nothing of that",
  }),
  ...under(["ToolCallEndEvent"], {
    name: "The name of the tool",
    input: "The arguments as the model wrote them: a JSON text",
    output: "What the tool gave, as the model gets it; absent: the call failed",
    error: "Why the call failed; absent: it did not",
    allowedBy:
      "By what the call ran unasked, such as `shell(git status:*) of the turn`; absent: a person was asked, or it needed no approval",
    fileCount: "How many files came with the output; the tool's message has them. Absent: none",
  }),
  ...under(["TaskStartEvent"], { conversationId: "The conversation that works on the task of the call" }),
  ...under(["TurnQueueEvent"], {
    input: "The text of the message",
    position: "Its place among the turns that wait; 1: the next one",
  }),
  ...under(["TurnStartEvent"], { input: "The text of the message" }),
  ...under(["TurnEndEvent"], {
    status: "How the turn ended; `interrupted`: the host ended before it did",
    error: "What went wrong; absent: nothing",
    cutReason,
    cutExplanation,
  }),
  ...under(["MessageEndEvent"], { messageId: "The message that is whole and stored" }),
  ...under(["CreateTurnRequest"], {
    input: "What the user says: a text, or parts in their order; absent: what the command says",
    command: "A command that is sent in place of `input`",
    "input.type": "What kind of part it is",
    "input.text": "The text; more than white space",
    allow:
      "Calls of tools that a person allows in this turn beforehand: `TOOL`, `SERVER__*`, or `TOOL(PATTERN)` such as `shell(git status:*)`; absent: none",
    model: "The model for this turn, as PROVIDER/MODEL; absent: the conversation's own",
    system: "System texts for this call only, sent as they are; absent: the conversation's own prompt",
    schema:
      "A JSON Schema: the model's last text is one JSON value that fits it. One that does not is asked for once more; then the turn fails as `ANSWER_UNFIT`",
  }),
  ...under(["Message"], {
    command: "The command that it was made from; absent: none",
    unaskedCalls:
      "Of the calls whose results it has, those that ran without a question which they would have needed; absent: none",
    "unaskedCalls.name": "The name of the tool",
    "unaskedCalls.allowedBy": "By what it ran, such as `shell(git status:*) of the turn`",
    previews: "Of the calls whose results it has, what those changed that a person allowed; absent: none",
    "previews.preview": "What the question about the call showed, such as a unified diff",
  }),
  ...under(["QueuedTurn"], {
    input: "The text of the message",
    position: "Its place among the turns that wait; 1: the next one",
  }),
  ...under(["SearchResult"], {
    conversation: "The conversation in which the words were found",
    matches: "Where they were found: the title first, then the newest messages; at most 3",
    "matches.messageId": "The message with the words; `null`: they are in the title",
    "matches.role": "Who says that message; `null`: they are in the title",
    "matches.snippet": "A piece of the text around what was found, in one line of at most 160 UTF-16 units",
    "matches.ranges": "What was found, in order",
    "matches.ranges.start": "Where it begins in the snippet, in UTF-16 units from 0",
    "matches.ranges.end": "Where it ends in the snippet, behind its last UTF-16 unit",
  }),
  ...under(["createConversation"], {
    cwd: "The working folder, an absolute path on the host's machine, which has to be there; absent: the host's own",
    model: "The model, as PROVIDER/MODEL; absent: that of the profile, else the host's default",
    profile: "A profile of the configuration; absent: none",
    title: "One line by which people know it; absent: it takes one from its first message",
    allowedTools: "The tools that it may use, by name, or by how names begin (`files__*`); absent: all of them",
    settings: "What each call of its turns asks for; absent: what its profile says",
    system: givenSystem("absent: none"),
    systemMode: givenMode,
    conversation: "The new conversation",
  }),
  ...under(["forkConversation"], {
    after: "The last message that the fork has; absent, and `before` too: the last one of a turn that has ended",
    before: "The first message that the fork has not, to send it anew; absent: `after` says where",
    title: "One line by which people know it; absent: that of its source",
    conversation: "The fork",
  }),
  ...under(["updateConversation"], {
    title: "The new title, one line; `null`: the one that it takes from its first message; absent: as it is",
    archived: "Whether lists and searches leave it out unless they are asked for it; absent: as it is",
    deleted:
      "`true`: it takes no message, until it is deleted or this is taken back with `false`; absent: as it is",
    allowedTools:
      "The tools that it may use: others run no more, and requests name these alone from the next epoch on; `null`: all of them; absent: as it is",
    cwd: "The working folder, an absolute path on the host's machine: tools run there from the next model call on, and the next prompt that is constructed is made there; absent: as it is",
    model: "The model that answers from the next turn on, as PROVIDER/MODEL; absent: as it is",
    profile:
      "A profile of the configuration: its prompt counts at the next construction, its model, unless another is named, from the next turn on; `null`: none; absent: as it is",
    settings:
      "What each call asks for from the next one on, in place of all that it asked for before; `null`: nothing; absent: as it is",
    system: givenSystem("`null`: none; absent: as it is"),
    systemMode: givenMode,
    conversation: "The conversation as it is from here on",
  }),
  "listConversations.conversations": "The conversations, newest first; a page may have none while others follow",
  "searchConversations.results":
    "What was found, newest conversation first; a page may have none while others follow",
  "getConversation.conversation": "The conversation",
  ...under(["listTasks"], {
    tasks: "The tasks, newest first; a page may have fewer than `limit` while others follow",
    "tasks.conversation": "The conversation that works on the task",
    "tasks.spent": "What its own model calls came to",
    "tasks.spentBelow": "What those of its own tasks came to, and of all below them",
    spent: "What all tasks of the page came to, with all below them",
    "tasks.spent.tokens": "Input and output tokens, as far as the vendors report them",
    "tasks.spentBelow.tokens": "Input and output tokens, as far as the vendors report them",
    "tasks.spent.isAtMost":
      "Whether `usd` is an upper bound, as a vendor did not report what it read from its cache; absent: it is not",
    "tasks.spentBelow.isAtMost":
      "Whether `usd` is an upper bound, as a vendor did not report what it read from its cache; absent: it is not",
    "spent.isAtMost":
      "Whether `usd` is an upper bound, as a vendor did not report what it read from its cache; absent: it is not",
    "spent.tokens": "Input and output tokens, as far as the vendors report them",
  }),
  "importConversation.conversation": "The conversation as it is kept",
  ...under(["exportConversation", "importConversation"], {
    type: "What the line has",
    version: "The version of the format",
    value: "What is kept, as JSON",
    kind: "The kind of the record, such as `message` or `event`",
    key: "The record's place among those of its kind",
    records: "How many records came: without this line the file was cut off",
  }),
  "listMessages.messages": "The messages, in the order that was asked for",
  "stopConversation.stopped": "Whether a turn was running; it ends as `cancelled`",
  "getQueue.queue": "The turns that wait, the next one first",
  "removeQueuedTurn.queue": "The turns that still wait, the next one first",
  "resumeConversation.resumed": "How many turns run that had waited",
  "answerApproval.decision":
    "What is decided; `allow-always`: in this conversation the tool is not asked about again",
  "answerApproval.forFolder":
    "Whether an `allow-always` holds in each conversation in the question's `forFolder`, for as long as the folder is trusted; with the host's own token or its page alone",
  "answerApproval.scope":
    "Of an `allow-always`, what it stands for: the id of one of the question's scopes; absent: every call of the tool",
  ...under(["listAllowed", "takeBackAllowed"], {
    allowed: "What was allowed for good, oldest first",
    "allowed.id": "The id of the question that was answered so; by it, this is taken back",
    "allowed.tool": "The name of the tool",
    "allowed.asker": "Whose the tool is, as the host knows it",
    "allowed.grants": "Which of its calls, as grants, such as `shell(git status:*)`",
  }),
  "answerApproval.unattended":
    "`true`: denied because nobody is there to ask, and the model is told so; absent: a person has answered",
  "answerQuestion.action":
    "`accept`: with the values; `decline`: the person does not want to give them; `cancel`: there is no answer",
  "answerQuestion.content": "The values, by the names of the fields; goes with `accept`",
  "answerQuestion.unattended": "`true`: cancelled because nobody is there to ask; absent: a person has answered",
  ...under(["compactConversation"], {
    instructions:
      "What the summary has to keep or to stress; the model gets it behind the host's own instructions, and the record of the call has it. Absent: nothing",
    conversation: "The conversation, in its new epoch",
    summary: "The message with which the new epoch begins",
  }),
  ...under(["getConversationTools"], {
    tools: "What its requests name, sorted by name; before the first request: what that would name",
    "tools.name": "The name of the tool",
    "tools.description": "What the model is told of it",
    "tools.inputSchema": "JSON Schema of the arguments",
    "tools.isAvailable": "`false`: a call of it gets an error as its result",
    leftOut:
      "Those of `tools` that the vendor of the conversation's model refuses: requests to it do not name them",
    "leftOut.name": "The name of the tool",
    "leftOut.reason": "Why it is refused",
    deferred: "What they do not name, by server: the model looks these tools up when it needs them",
    "deferred.server": "The server of tools, or the id of an extension",
    "deferred.reason":
      "`configured`: its `defer` says so; `no-room`: they do not fit into `tools.shown_max_bytes` and `tools.shown_max`; `too-many`: no request can name them all",
    "deferred.tools": "Its tools, sorted by name",
    "deferred.tools.name": "The name of the tool",
    "deferred.tools.isAvailable": "`false`: a call of it gets an error as its result",
    sha256: "The SHA-256 of the JSON of the definitions; `null`: no request of this epoch was sent yet",
    next: "What an epoch that began at this moment would have otherwise",
    "next.added": "Names of tools that it would have more",
    "next.removed": "Names of tools that it would not have",
    "next.changed": "Names of tools that would be described otherwise",
    "next.problems": "Tools that it would be without, and why, a sentence each",
  }),
  ...under(["getToolOutput"], {
    output: "What the tool gave, at most 64 MiB of it",
    sizeBytes: "The size of all that it gave, in bytes of UTF-8",
  }),
};
