import { under, type FieldWords } from "./field-words.ts";

const change = {
  author: "Who made the change; absent: the kind of client, such as `http`",
  note: "Why it was made; absent: nothing is said",
};
const stored = {
  version: "The number of the stored version; `null`: what is in force is not stored",
  etag: "The header `ETag` with its quotes, to be sent as `If-Match`; `null`: the prompt builder keeps no versions",
};
const kept = {
  sha256: "The SHA-256 of the prompt's text",
  reason: "Why it was constructed; `rebuild`: a person asked for it",
  by: "Who asked for the rebuild; `null`: it was none, or nobody said",
  note: "Why the rebuild was asked for; `null`: it was none, or nobody said",
};
const keptOrNot = {
  ...kept,
  sha256: `${kept.sha256}; \`null\`: never constructed`,
  reason: `${kept.reason}; \`null\`: never`,
};
const version = {
  version: "Its number, which grows with each version and is never given twice",
  sha256: "The SHA-256 of the text; `null`: with this version the stored template was taken away",
  author: "Who made the change; `null`: not known",
  note: "Why it was made; `null`: nobody said",
};

/** Fields of prompts, their explanation, and the template. */
export const promptWords: FieldWords = {
  ...under(["tiers"], {
    tier: "Which tier it is",
    position: "Its place in the order in which tiers are asked; 1: first",
    source: "Where its text comes from",
    won: "Whether its text is the base of the prompt",
    reason: "Why it won or lost",
    template: "The text that it had; `null`: nothing is set there",
    sha256: "The SHA-256 of that text; `null`: there is none",
    version: "The number of the stored template; `null`: it is not a stored one",
  }),
  ...under(["variables"], {
    type: "What stands before the colon of the variable, such as `file`",
    name: "What stands behind the colon of the variable, such as `AGENTS.md`",
    kind: "Whether it had a value",
    value: "Its value; `null`: it had none",
    reason: "Why it had no value; `null`: it had one",
    sizeBytes: "The size of the value in bytes of UTF-8",
    detail: "What the reason alone does not tell, in one line; `null`: nothing",
    source: "Where the value came from: the path of a file, a git command, an extension …",
    extension: "The extension that adds the variable; `null`: it is one of the host's own",
    trust:
      "Whether a person trusts the text of a working folder as it is; `changed`: it was trusted with other content; `null`: it is no such text",
    files: "The files that an extension made the value of; absent: it named none",
    leftOut:
      "Files that exist, or that one of them imports, and that the extension left out; absent: it named none",
    tookMs: "How long it took to find out, in milliseconds",
  }),
  ...under(["variables.files"], {
    path: "The file, as an absolute path on the host's machine",
    sizeBytes: "Its size in bytes, as it was read",
    trust:
      "Whether a person trusts it as it was read; `changed`: it was trusted with other content; `null`: it is not the text of a working folder",
  }),
  ...under(["variables.leftOut"], {
    path: "The file, as an absolute path on the host's machine, or as it is written where it may not be read",
    reason: "Why it was left out; `not-applied`: by its own rules, it does not count here",
    why: "The reason in words, in one line",
  }),
  ...under(["branches"], {
    condition: "The condition as the template has it, such as `if file:AGENTS.md`",
    variable: "The variable of the condition, as TYPE:NAME",
    side: "Which side gave text; `else`: the condition did not hold",
    parent: "The index of the branch that it stands in; `null`: in none",
    template: "Which template it stands in: that of the tier that won (`base`), or `append`",
    templateStart: "Where its `[if]` begins in that template, in UTF-16 units from 0",
    templateEnd: "Where it ends there, behind its last UTF-16 unit",
  }),
  ...under(["ranges"], {
    start: "Where it begins in the prompt, in UTF-16 units from 0",
    end: "Where it ends in the prompt, behind its last UTF-16 unit",
    origin: "What kind of text it is",
    name: "The variable as TYPE:NAME, or the id of the segment; `null`: it is neither",
    tier: "The tier that it belongs to, or `append` or `segment`",
    extension: "The extension that adds it; `null`: it is the host's own text",
    branch: "The index of the branch that it stands in; `null`: in none",
    templateStart: "Where what it stands for begins in the template, in UTF-16 units; `null`: it is in none",
    templateEnd: "Where that ends in the template, behind its last UTF-16 unit; `null`: it is in none",
  }),
  ...under(["segments"], {
    id: "The id of the segment",
    extension: "The extension that adds it",
    order: "Its place among the segments: the lowest number comes first",
    kind: "What became of it; `failed` and `shadowed` ones were left out",
    detail: "Why it was left out; `null`: it was not",
    tookMs: "How long it took, in milliseconds",
  }),
  ...under(["conflicts"], {
    point: "The extension point that it was added to",
    name: "The type of the variables, or the id of the segment, that two have",
    extension: "The extension whose one is not used",
    detail: "What the conflict is",
  }),
  ...under(["Explain", "explainCall.explain"], {
    model: "The model that the prompt was made for, as PROVIDER/MODEL; `null`: not known",
    tiers: "Where the base text can come from, in the order in which they are asked; at most one has won",
    append: "The template of `append_system_prompt`; `null`: none is set",
    profileAppend: "The template that its profile appends in front of that one; absent: it appends none",
    variables: "Each variable that was asked for",
    branches: "The sides of conditions that gave text",
    ranges: "Where each part of the prompt came from: all of it, once, in order",
    segments: "What extensions add, in the order of the text",
    conflicts: "What extensions add and is not used, because another one has its name",
    sha256: "The SHA-256 of the prompt's text",
  }),
  "Explain.tokens": "The tokens of the whole text, counted when it is read",
  ...under(["PromptConstruction"], kept),
  ...under(["getConversationSystemPrompt", "rebuildPrompt.systemPrompt"], {
    ...keptOrNot,
    constructedAt: "When the prompt was constructed, in UTC; `null`: never",
    systemPrompt: "The text that is sent; `null`: never constructed",
  }),
  ...under(["PromptDrift"], {
    isSame: "Whether construction would give the kept text",
    kept: "The prompt that is kept and sent",
    "kept.sha256": kept.sha256,
    "kept.reason": kept.reason,
    now: "The prompt that construction would give at this moment",
    "now.sha256": kept.sha256,
    hunks: "What would be otherwise, by lines; none: the texts are the same",
    "hunks.causes": "What made it so",
    "hunks.causes.kind":
      "What is not as it was: the value of a variable, the side of a condition (`branch`), the template, `append_system_prompt`, or the text of an extension (`segment`)",
    "hunks.causes.name": "The variable, the condition, the source of the template, or the id of the segment",
    "hunks.causes.detail": "What it was, and what it is, in words",
    rebuildCost: "What the next request could not read from the vendor's cache after a rebuild",
    "rebuildCost.tokens": "The prompt from the first changed byte on, and the history of the epoch",
    "rebuildCost.firstChangedByte":
      "Where the new prompt begins to differ, in bytes from 0; `null`: nothing changes",
    "rebuildCost.usd": "What that input costs uncached, in US dollars; `null`: the model's prices are not known",
  }),
  "explainConversation.explain": "How the kept prompt came about; `null`: never constructed",
  ...under(["explainConversation"], {
    leftOutTools:
      "Tools of this epoch that the vendor of the conversation's model refuses: requests to it do not name them",
    "leftOutTools.name": "The name of the tool",
    "leftOutTools.reason": "Why it is refused",
  }),
  "getDrift.drift": "What construction would give against what is kept; `null`: never constructed",
  ...under(["rebuildPrompt"], {
    by: "Who asks for it, any name; absent: nobody is named",
    note: "Why; absent: nothing is said",
    outcome:
      "Whether there is a new prompt; `nothing-changed`: construction gave the kept text, and nothing was stored",
    systemPrompt: "The prompt that is kept, and sent from here on",
  }),
  "listConstructions.constructions": "The prompts that it had, oldest first: the newest one is sent",
  ...under(["getConstructedText"], { systemPrompt: "The text", sha256: kept.sha256 }),
  ...under(["TemplateInForce"], {
    ...stored,
    template: "The template in force",
    source: "Whether it is stored, from the configuration, or the host's own",
  }),
  ...under(["TemplateVersion", "getTemplateVersion"], version),
  "getTemplateVersion.template": "The text; `null`: with this version the stored template was taken away",
  ...under(["setSystemPrompt"], { ...change, ...stored, template: "The template, at most 1 MiB of UTF-8" }),
  ...under(["restoreTemplateVersion"], change),
  ...under(["lintTemplate", "previewSystemPrompt"], {
    template: "The template to look at; absent: the one in force",
    cwd: "Where its variables look, an absolute path on the host's machine; absent: the host's own folder",
    model: "The model, as PROVIDER/MODEL; absent: that of the profile, else the host's default",
    profile: "A profile of the configuration; absent: none",
  }),
  ...under(["lintTemplate"], {
    findings: "What is likely not meant, in the order of the text",
    "findings.code": "Which rule found it",
    "findings.severity":
      "`error`: the model is told something else than was meant; `warning`: it likely is, or it costs; `info`: good to know",
    "findings.message": "What is likely not meant; no secret is in it",
    "findings.fix": "What to do",
    "findings.replacement": "The text to put in its place; `null`: only a person knows",
    "findings.offset": "Where it begins, in UTF-16 units from 0",
    "findings.length": "How long it is, in UTF-16 units; 0 at 0: it is about the whole text",
    "findings.line": "The line that it begins in, from 1",
    "findings.column": "Its place in that line, in UTF-16 units from 1",
    omitted: "How many more findings there are",
    source: "Where the template came from",
    sizeBytes: "The size of the prompt that it makes, with what is appended, in bytes of UTF-8",
    tokens: "The tokens of that prompt",
  }),
  ...under(["listTemplateFiles"], {
    folder: "The folder: relative to `cwd` within it, empty for `cwd` itself, absolute elsewhere",
    parent: "The folder above it, likewise; `null`: there is none, or nobody may look into it",
    entries: "What is in it: folders first, then in the order of the names' bytes",
    "entries.name": "The name in the folder",
    "entries.kind": "What it is; `link`: where it leads is not said",
    "entries.path": "What stands behind `file:` in a template",
    "entries.sizeBytes": "The size of a file in bytes; 0 for what is not a file",
    leftOut: "How many more entries there are",
  }),
  ...under(["listTemplateVersions"], {
    versions: "The versions, newest first",
    current: "The number of the one that is stored; `null`: none is, or it cannot be read",
    damaged: "Numbers of versions of this page that cannot be read",
  }),
  ...under(["diffTemplateVersions"], {
    hunks: "What is otherwise, by lines; none: the texts are the same",
    from: "The number of the old version; `null`: there is none before, and the whole text is new",
    to: "The number of the new version",
  }),
  "getSystemPromptVariables.variables": "The variables that templates can name",
  ...under(["SystemPromptVariable"], {
    type: "What stands before the colon, such as `file`",
    name: "What stands behind the colon, such as `AGENTS.md`",
    description: "What its value is",
    dynamic: "`true`: any name is a variable, such as any path for `file`; absent: this one alone",
  }),
  ...under(["previewSystemPrompt"], {
    conversationId: "The conversation to look at as it would be told; absent: a new one",
    system: "System texts of the call, sent as they are; absent: none",
    systemPrompt: "The text, empty where there is none",
    systemTexts: "The same as the list that is sent: one system message each where the vendor takes several",
    explain: "How it came about",
  }),
};
