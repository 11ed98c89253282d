import type { Attack } from "./attacks.ts";

export const boundsAttacks = {
  "bounds-json-depth": {
    tries: "a text of brackets, 1,000,000 deep or 8 MB of them, in strings, escaped, or never closed",
    seen: "it is refused in one pass, before a value of it is built",
  },
  "bounds-mcp-deep-schema": {
    tries: "an MCP server describes one tool with a schema nested 20,000 deep",
    seen: "that tool alone is left out, by name; the server's others are there",
  },
  "bounds-mcp-wide-schema": {
    tries: "an MCP server describes one tool with a schema of 300,000 alternatives",
    seen: "that tool alone is left out, before any of them is looked at",
  },
  "bounds-mcp-wide-message": {
    tries:
      "an MCP server answers with 16 MB of the smallest values, each of which is checked: the host stood still for half a minute",
    seen: "the server is stopped, over stdio and over HTTP, before any of them is looked at",
  },
  "bounds-mcp-deep-result": {
    tries: "an MCP server answers with content nested 60,000 deep",
    seen: "the result says that it is not shown",
  },
  "bounds-config-problems": {
    tries: "a configuration has 60,000 unknown keys",
    seen: "the first 20 are named, each with its line, and the command ends",
  },
  "bounds-many-problems": {
    tries: "a client sends a body in which 100,000 things are wrong",
    seen: "the first 20 are named",
  },
  "bounds-mcp-padding": {
    tries: "an MCP server gives an image whose Base64 is 200,000 signs of equality, and a letter behind them",
    seen: "its size is told in one pass",
  },
  "bounds-mcp-brackets": {
    tries: "an MCP server prints a message of 200,000 brackets",
    seen: "it is skipped before it is parsed, and the next one is taken",
  },
  "bounds-tool-files": {
    tries:
      "a tool gives files that a vendor refuses with the whole conversation: too large, too many, not what they say",
    seen: "each is named in its place, and nothing of it is kept",
  },
  "bounds-mcp-instructions": {
    tries: "an MCP server tells models 8 MB of itself, which each request of a conversation would pay for",
    seen: "the prompt has 8 KiB of it, and says that it was cut",
  },
  "bounds-mcp-resources": {
    tries: "an MCP server gives 6 MiB for a resource, or never answers for it",
    seen: "nothing is sent, the error says why, and the server goes on",
  },
  "bounds-mcp-roots": {
    tries: "an MCP server asks for its roots again whenever it is told them",
    seen: "it is stopped, and says why",
  },
  "bounds-mcp-folders": {
    tries: "somebody has an MCP server started for one working folder after the other",
    seen: "sixteen run at once; the one that is idle ends, or one more is refused with a code",
  },
  "bounds-tool-progress": {
    tries: "a tool tells how far it is without a pause for an hour, which is stored each time, and so never ends",
    seen: "a few hundred are shown, and the call ends after an hour",
  },
  "bounds-mcp-flood": {
    tries: "an MCP server sends messages without end",
    seen: "20,000 in ten seconds are taken, then it is stopped",
  },
  "bounds-mcp-restarts": {
    tries: "an MCP server ends whenever it was started",
    seen: "it is started three times in five minutes",
  },
  "bounds-mcp-error-output": {
    tries: "an MCP server prints a line without an end to stderr",
    seen: "no more than a mebibyte of it is read",
  },
  "bounds-mcp-body": {
    tries: "an MCP server answers over HTTP with a body without an end",
    seen: "it is broken off at the limit of a message",
  },
  "bounds-shown-body": {
    tries: "a server answers with a page of many comments or many titles",
    seen: "an error that shows its title is made in milliseconds",
  },
  "bounds-body-depth": {
    tries: "a client sends a body nested 200,000 deep, to /v1 and to the host's own routes",
    seen: "400 with a code and words, no 500",
  },
  "bounds-config-depth": {
    tries: "a configuration's tables lie 60,000 deep within one another, by brackets, dots or headers",
    seen: "one line says so; nothing overflows, and no scan for a line's number runs over them",
  },
  "bounds-followers-share": {
    tries: "many clients follow a conversation, and all of them fall behind what is in memory",
    seen: "a page is read from storage, and written out, once for all of them",
  },
  "bounds-large-event": {
    tries: "a client follows events of several megabytes and takes them slowly",
    seen: "16 KiB are on their way to it at a time",
  },
  "bounds-gitignore-globs": {
    tries: "a folder's .gitignore has rules that take a matcher with backtracking for ever",
    seen: "each path is judged in bounded time, and others get their turn in between",
  },
  "bounds-search-regex": {
    tries: "a model searches for an expression whose automaton is large, in a line of a megabyte",
    seen: "a line takes a tenth of a second at most; what of it was not searched is said",
  },
  "bounds-find-pattern": {
    tries: "a model finds files by a pattern of five hundred asterisks, in a path of 4,000 letters",
    seen: "each path is compared in bounded time; how many were not compared is said",
  },
  "bounds-search-marks": {
    tries:
      "a message has a letter with 200,000 accents of two classes in turn, and somebody searches the conversations",
    seen: "it is looked through in one pass: nothing is brought into an order that is not asked for",
  },
  "bounds-diff-lines": {
    tries: "a model writes a million line ends over a file of as many, and the question shows what would change",
    seen: "beyond 100,000 lines the change is told in words, before anything is taken apart",
  },
  "bounds-macro-literals": {
    tries:
      'a folder that is added as an extension has a file with 100,000 strings that read "macro", each of which is looked at',
    seen: "the look ends within a second or two, and the file is refused: it cannot be told whether one is an import of a macro",
  },
  "bounds-nul-ids": {
    tries: "a client puts NULs into the ids of every route",
    seen: "400 or 404 with words; no key of the storage is made of it",
  },
  "bounds-damaged-history": {
    tries: "a conversation holds a call whose arguments are nested 60,000 deep, from a host that took them",
    seen: "the next request is written, with nothing in the place of those arguments",
  },
  "bounds-vendor-nameless-call": {
    tries: "a vendor streams the arguments of a call that never gets a name, so that a package only keeps them",
    seen: "the reply is broken off at the limit of its whole size",
  },
  "bounds-json-width": {
    tries: "a text is made of a million values",
    seen: "it is refused in one pass, before any of them is built",
  },
  "bounds-body-width": {
    tries: "a client sends 200,000 messages, or as many of anything else, in one body",
    seen: "400 with words, before any of them is looked at",
  },
  "bounds-repeated-input": {
    tries: "a client sends a name, a key or a path of a megabyte, which an error would repeat",
    seen: "an error has the beginning and the end of it: 4,096 characters in one text",
  },
  "bounds-log-line": {
    tries: "what somebody sent makes a line of the log two megabytes long",
    seen: "16,384 characters of it are written, and no part of a secret at the cut",
  },
  "bounds-given-names": {
    tries:
      "a client begins a conversation with a model's name of two megabytes, or with control characters, or with such a folder",
    seen: "400, as an import of such a conversation",
  },
  "bounds-doubling-schema": {
    tries: "a message asks for an answer by a schema whose references double 40 times, or lead in a circle",
    seen: "400, which says why; no answer is ever held against it",
  },
  "bounds-v1-wide-schema": {
    tries: "a client of /v1 sends a tool, or a reply, whose schema has 90,000 properties",
    seen: "400, which names the schema; nothing is made of it for a vendor",
  },
  "bounds-background-responses": {
    tries: "a program with a token begins responses in the background without end",
    seen: "16 of them run, and others get 429; those of other tokens are not held up",
  },
  "bounds-questions": {
    tries: "a call of a tool, such as that of an MCP server, asks a person 1,000 questions",
    seen: "20 of them are asked, one after the other; the others are cancelled, and the tool is told so",
  },
  "bounds-tool-arguments": {
    tries: "a model calls a tool with arguments nested 60,000 deep",
    seen: "the call has an error result, and the conversation goes on, also after a restart",
  },
} as const satisfies Record<string, Attack>;
