import type { Attack } from "./attacks.ts";

export const extensionAttacks = {
  "extension-asks-for-nothing": {
    tries:
      "an extension that asks for nothing, in a running host: to run the shell, call models, send and approve turns, read files and keys, open connections and ports, add to prompts, and watch",
    seen: "it gets nothing of it; the control was granted all, and gets all",
  },
  "extension-takes-core-id": {
    tries: "a folder takes the id of the host's HTTP part in a running host, and reads the token in its settings",
    seen: "ID_RESERVED at swap and at add, and none of its code runs",
  },
  "extension-stands-in": {
    tries: "an extension with both grants answers for a configured provider, and gives a tool named shell",
    seen: "neither is taken; other names are",
  },
  "extension-sends-and-approves": {
    tries:
      "an extension that may send turns sends one whose model writes a file, and looks for a way to allow that",
    seen: "there is none without a grant for approvals, and the file is not there",
  },
  "extension-reads-by-preview": {
    tries:
      "an extension that may preview prompts has the prompt builder, which may read everything, read a file for it",
    seen: "refused, unless it may read there itself",
  },
  "extension-comes-back-changed": {
    tries: "a host is started again, and the code of an extension that may read a key has changed meanwhile",
    seen: "none of it runs: it is listed as failed with GRANT_REQUIRED",
  },
  "extension-settings-pipe": {
    tries:
      "an extension's tsconfig.json, or one that its code leads to, extends a pipe, which holds the bundler for good",
    seen: "it is refused at once, with the name of the file",
  },
  "extension-core-id-swap": {
    tries: "a folder with the id of a core extension is swapped into its place, and reads its settings",
    seen: "ID_RESERVED; the core extension goes on, and nobody else has its settings",
  },
  "extension-core-id-restore": {
    tries: "extensions.paths, or extensions.json, names a folder with the id of a core extension",
    seen: "it is listed as failed with ID_RESERVED, and can be removed; the core extension runs",
  },
  "extension-core-id-add": {
    tries: "a folder takes the id of a disabled core extension, or the name that the host signs its log with",
    seen: "ID_RESERVED",
  },
  "extension-runs-tools": {
    tries: "an extension that nobody asked about calls the shell tool, which it finds by reading tools@1",
    seen: "it is asked about in words first; where the operator leaves it out, CAPABILITY_DENIED",
  },
  "extension-calls-models": {
    tries: "an extension that nobody asked about calls a configured provider, with its key",
    seen: "it is asked about first",
  },
  "extension-reads-conversations": {
    tries: "an extension that nobody asked about sends a turn, and reads the conversations",
    seen: "it is asked about first",
  },
  "extension-approves-itself": {
    tries: "an extension that may send turns allows the tool calls that they cause",
    seen: "conversations@1 has no such method; approvals@1 is a service of its own, and asked about",
  },
  "extension-lacks-methods": {
    tries: "an extension provides a service that lacks methods, under a handle of its own",
    seen: "ACTIVATE_FAILED that names what is missing",
  },
  "extension-broken-contribution": {
    tries: "an extension contributes a tool without execute, or no object at all",
    seen: "CONTRIBUTION_INVALID that names what is missing",
  },
  "extension-at-once": {
    tries: "plain JavaScript: an execute and a resolve that are not async, a stream that is promised",
    seen: "the call goes on",
  },
  "extension-provider-name": {
    tries: "an extension adds a provider under a configured name, or under the host's own",
    seen: "CAPABILITY_DENIED, in its health and the log; the configured one answers",
  },
  "extension-changing-name": {
    tries: "a provider gives a free name when it is judged, and a configured one afterwards",
    seen: "it keeps the name by which it was judged",
  },
  "extension-tool-name": {
    tries: "an extension gives a tool under the name of a built-in one, or of a configured server",
    seen: "CAPABILITY_DENIED; also while the built-in ones are off",
  },
  "extension-tool-source-name": {
    tries: "a source of tools gives one under a name of the host's, which a person may have allowed for good",
    seen: "it is left out, and the conversation's tools say so",
  },
  "extension-preview-file": {
    tries: 'an extension that may preview prompts has any file read: preview({ template: "[file:/…]", cwd: "/" })',
    seen: "CAPABILITY_DENIED, unless it may read that folder itself",
  },
  "extension-foreign-folder": {
    tries: "an extension has prompts made, begins a conversation or calls a model in a folder that it may not read",
    seen: "CAPABILITY_DENIED by who calls, at each method that takes a folder",
  },
  "extension-changed-code": {
    tries: "the code of an extension is changed under a grant that was asked for, and the host is started again",
    seen: "none of it runs: it is listed as failed with GRANT_REQUIRED, until it is granted again",
  },
  "extension-changed-data": {
    tries: "a file of data that the code imports is changed, and the code is not",
    seen: "it counts as changed code",
  },
  "extension-changed-compiler": {
    tries:
      "no file of code is changed, but a compiler option, such as experimentalDecorators, makes other code of the same files",
    seen: "it counts as changed code, also where a setting is extended",
  },
  "extension-data-read-twice": {
    tries: "a file of data is exchanged between the look at it and the bundler's, and put back",
    seen: "CODE_INVALID: it changed during reading",
  },
  "extension-changed-harmless": {
    tries: "the code of an extension that was never asked about is changed",
    seen: "it runs, and list, show and log say so until an operator takes it",
  },
  "extension-swapped-code": {
    tries: "other code is swapped in under a sensitive grant, or gets more than the operator had narrowed that to",
    seen: "GRANT_REQUIRED with the narrowed grant; the code before goes on",
  },
  "extension-imports-outside": {
    tries:
      "an extension imports somebody else's code by its path, or over a link in its folder, for what that exports",
    seen: "IMPORT_DENIED before a line of it has run",
  },
  "extension-alias-import": {
    tries:
      "an alias of its tsconfig.json, or a package's name with .. behind it, leads an import to somebody else's code",
    seen: "IMPORT_DENIED: what is named as a package has to lie in one",
  },
  "extension-computed-import": {
    tries: "a module of the system by a name put together at run time: import(), require(), eval, new Function",
    seen: "IMPORT_DENIED each time",
  },
  "extension-sqlite-import": {
    tries: 'the host\'s database is imported with { type: "sqlite" }',
    seen: "refused, embedded or not",
  },
  "extension-linked-data": {
    tries: "a link in the folder, named as text or as code, leads to a file outside, which is imported as text",
    seen: "IMPORT_DENIED",
  },
  "extension-sees-prompts": {
    tries: "an extension that nobody asked about uses a service that shows what models are told",
    seen: "it is asked about first",
  },
  "extension-adds-to-prompts": {
    tries: "an extension that nobody asked about adds a segment to every prompt",
    seen: "it is asked about first",
  },
  "extension-answers-for-models": {
    tries: "an extension that nobody asked about adds a provider",
    seen: "it is asked about first",
  },
  "extension-observes-work": {
    tries: "an extension that nobody asked about has itself told of every turn",
    seen: "it is asked about first",
  },
  "extension-resolves-variables": {
    tries: "an extension that nobody asked about resolves the variables of another one",
    seen: "it is asked about first",
  },
  "extension-replaces-service": {
    tries: "an extension that nobody asked about provides system-prompt@1 where the host's own is disabled",
    seen: "it is asked about first",
  },
  "extension-inner-service": {
    tries:
      "an extension depends on a service by which generations of a core extension meet, such as conversation-hand-over@1",
    seen: "CAPABILITY_DENIED, whatever is granted",
  },
  "extension-storage-driver": {
    tries: "an extension that may store something takes the storage driver, which holds the data of all",
    seen: "SERVICE_UNDECLARED: storage is granted, the driver is not",
  },
  "extension-new-powers": {
    tries: "a new version reads tools@1, under the grant of one that did not",
    seen: "GRANT_REQUIRED with what is new in words; what needs no question is taken",
  },
  "extension-kept-before-powers": {
    tries: "an extension that was added before services were powers goes on running every tool",
    seen: "it is listed as failed with GRANT_REQUIRED; one that only gives tools goes on",
  },
  "extension-source-must-ask": {
    tries: "a model calls a tool of an added source that says of itself that this call is to be asked about",
    seen: "a person is asked, and told why: what a source's tool says is not lost on the way",
  },
  "extension-two-faced-handle": {
    tries:
      "a handle names a service of nobody's when it is judged, and approvals@1, the storage driver or the models when it is used",
    seen: "it is read once: what was judged is what is reached",
  },
  "extension-two-faced-request": {
    tries:
      "a request names a folder that the extension may read when it is judged, and another one when it is used",
    seen: "it is read once",
  },
  "extension-grows-its-grant": {
    tries:
      "an extension provides a service and calls it itself, to change its own grant in what that is told of who calls",
    seen: "the service is told a copy that cannot be changed",
  },
  "extension-after-unload": {
    tries: "an extension keeps services, models and a stream of events in hand, and is removed",
    seen: "SCOPE_CLOSED, whatever it kept",
  },
  "extension-leaves-running": {
    tries: "an extension is removed while a program that it waits for runs, and a port that it has opened is open",
    seen: "both are gone with it",
  },
  "extension-two-faced-value": {
    tries: "a value that it stores is small when it is counted, and large when it is written",
    seen: "what was counted is what is stored",
  },
  "extension-broken-value": {
    tries: "an extension stores what is no JSON, so that the host counts it as a failure of its storage",
    seen: "a TypeError of its own, and /health is as before",
  },
  "extension-inherits-data": {
    tries:
      "an extension takes the id of one that was removed, or gets storage with a later version, and finds what that had stored",
    seen: "a person is asked first, and can have it deleted; none of its code runs before",
  },
  "extension-changes-while-asked": {
    tries: "the code in a folder is changed while a person reads what it asks for",
    seen: "their grant is for the code that they were shown: GRANT_REQUIRED again",
  },
  "extension-unreadable-error": {
    tries:
      "an extension throws what claims to be the host's error and cannot be read, so that the host does not start and nobody can list it",
    seen: "it is listed as failed, and can be removed",
  },
  "extension-unreadable-throw": {
    tries:
      "a tool, or a source of tools, throws what cannot be looked at: no prototype, a proxy, a message that throws, so that every turn waits for good",
    seen: "the model is told that it failed, and the turn goes on",
  },
  "extension-unreadable-call": {
    tries: "a tool throws such a thing when it is asked what a call would touch and change",
    seen: "a person is asked, and stop ends the turn",
  },
  "extension-edits-signal": {
    tries: "a tool puts its own answers into the signal that it is given, so that its turn cannot be stopped",
    seen: "the signal is its own: stop ends the turn",
  },
  "extension-broken-events": {
    tries:
      "a provider says what is no event of a model: metadata that is a text, arguments that are none, so that its conversation can never be read again",
    seen: "the turn fails as BAD_RESPONSE, and the conversation goes on with another model",
  },
  "extension-frames-another": {
    tries: "an extension throws refusals that name another one, which would be shown as that one's",
    seen: "they are counted as its own",
  },
  "extension-edits-powers": {
    tries:
      "an extension changes the table of what others are asked about, or what a point asks for, in the module that it is given",
    seen: "nothing of it can be changed",
  },
  "extension-forged-question": {
    tries:
      "an extension throws an error that reads like the host's own question for a grant, with words of its choice",
    seen: "CODE_FAILED: nobody is asked anything",
  },
  "extension-changed-links": {
    tries: "no file of code is changed, but a package.json or tsconfig.json leads to another one of them",
    seen: "it counts as changed code",
  },
  "extension-name-of-another": {
    tries: "an extension with an id that sorts first gives a tool and variables under the names of another one's",
    seen: "CAPABILITY_DENIED that names whose they are; the other one's go on",
  },
  "extension-allows-its-turn": {
    tries: "an extension that may send turns sends one that says which calls of tools are allowed in it",
    seen: "a person is asked: only what may answer for a person allows anything",
  },
  "extension-allows-in-folder": {
    tries:
      "an extension that may answer for a person answers that a call is allowed in all later conversations of the folder, or asks for what keeps such answers",
    seen: "CAPABILITY_DENIED, whatever it was granted; for the conversation it may answer",
  },
  "extension-forges-asker": {
    tries:
      "a tool of an added extension asks as a configured server or as another tool, by its name, its server, its question, or a source named like the host's",
    seen: "the question names the extension, and is about its own tool",
  },
  "extension-inherits-written-grant": {
    tries:
      "an added extension, or a server that a client brings along, gives a tool under a name that a grant of the configuration or the turn is for",
    seen: "a person is asked: a grant for tools of a server counts for the configured server alone",
  },
  "asker-other-server": {
    tries:
      "the configuration gives the name of a server, or of an agent, whose calls were allowed for good to another command or address",
    seen: "a person is asked: the answer was for what had the name then",
  },
  "extension-inherits-always": {
    tries:
      "an extension gives a tool under the name of one of another's that is gone, and that a person had allowed for good",
    seen: "a person is asked: the answer belongs to who gives the tool",
  },
  "extension-always-of-old-host": {
    tries:
      "an extension gives a tool under a name that was allowed for good by a host that did not keep whose it was",
    seen: "a person is asked",
  },
  "extension-edits-service": {
    tries: "an extension that may ask which files are trusted writes its own answer into the host's service",
    seen: "it has a frozen view: the host's answer stays",
  },
} as const satisfies Record<string, Attack>;
