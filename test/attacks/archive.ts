import type { Attack } from "./attacks.ts";

export const archiveAttacks = {
  "archive-waiting-turn": {
    tries: "an archive holds a turn that waits, so that the next start runs it",
    seen: "the import is refused, and names the line; no model is asked, at once or at the next start",
  },
  "archive-tool-allowed": {
    tries: "an archive says that somebody had allowed a tool for the whole conversation",
    seen: "the import is refused, and names the tool; an export has no such answer",
  },
  "archive-folder-allowed": {
    tries: "an archive says that somebody had allowed its folder",
    seen: "the import is refused, and an export of an imported conversation does not have that answer",
  },
  "archive-folder-grant": {
    tries:
      "an imported conversation is moved into a folder in whose later conversations a person had allowed the calls that its model makes",
    seen: "a person is asked, and only about this conversation",
  },
  "archive-running-turn": {
    tries: "an archive holds what a start takes up of a turn that was running",
    seen: "the import is refused",
  },
  "archive-idempotency-key": {
    tries: "an archive has used up a key that a client will send with a message",
    seen: "the message is taken, and runs; an export has no such keys",
  },
  "archive-tool-runs-unasked": {
    tries:
      "a model calls a tool that needs no approval in an imported conversation, whose folder the archive has chosen",
    seen: "a person is asked first, and told the folder; the tool has not run until then, nor when they deny it",
  },
  "archive-folder-unasked": {
    tries: "a model reads a file of the folder that an archive has chosen, and nobody is at a terminal",
    seen: "the model is told that the user does not let it, and nothing of the file",
  },
  "archive-grants-allowed": {
    tries: "an archive says which calls of tools a person has allowed for good",
    seen: "NOT_A_HISTORY: the import is refused as a whole",
  },
  "archive-always-for-tool": {
    tries: "the answer about the folder is taken for one about the tool",
    seen: "the tool is asked about all the same",
  },
  "archive-fork-forgets": {
    tries: "an imported conversation is forked, to be rid of the question about its folder",
    seen: "the fork asks",
  },
  "archive-cwd-relative": {
    tries: "an archive names a folder that depends on where the host was started",
    seen: "the import is refused as the creation of such a conversation is",
  },
  "archive-cwd-nul": {
    tries: "an archive names a folder with NUL in it, which programs cut there",
    seen: "the import is refused as the creation of such a conversation is",
  },
  "archive-others-calls": {
    tries: "an archive names a call without a conversation as its own, so that it is deleted with it",
    seen: "the call stays, and its request can be read",
  },
  "archive-others-age": {
    tries:
      "an archive has a request under the id of another conversation's step, so that retention forgets that one",
    seen: "the import is refused, and retention knows the other request as before",
  },
  "archive-record-twice": {
    tries: "an archive has two records under one key",
    seen: "the import is refused",
  },
  "archive-event-gap": {
    tries: "an archive's events leave numbers out, or begin at the last one that there is room for",
    seen: "the import is refused",
  },
  "archive-piece-lengths": {
    tries: "a merged delta says other lengths than its text has",
    seen: "the import is refused",
  },
  "archive-turn-without-end": {
    tries: "an archive has a turn without its end, so that whoever follows it waits for ever",
    seen: "the import is refused",
  },
  "archive-open-question": {
    tries: "an archive has a question about a tool that nobody has answered, to be answered here",
    seen: "the import is refused",
  },
  "archive-proto": {
    tries: "a record has `__proto__` among its keys",
    seen: "the import is refused, and names the place",
  },
  "archive-unknown-key": {
    tries: "a record, or the conversation, has a key that this version does not know, and another one might act on",
    seen: "the import is refused, and names the place",
  },
  "archive-deep": {
    tries: "a record is nested 100,000 levels deep",
    seen: "the import is refused, and the host goes on",
  },
  "archive-wide-record": {
    tries:
      "a record of 64 MB is made of millions of values, each of which is checked: the host stood still for minutes",
    seen: "the import is refused before any of them is looked at, and names the line",
  },
  "archive-blank-lines": {
    tries: "an archive has 30,000,000 line breaks",
    seen: "others get their turn while they are read",
  },
  "archive-in-drops": {
    tries: "an archive comes a line at a time, for hours, so that it is under way for ever",
    seen: "the answer is that it took too long, and so it ends: nothing of it stays",
  },
  "archive-time-of-no-calendar": {
    tries: "a request says that it was sent in the year 10^280",
    seen: "the import is refused",
  },
  "archive-title": {
    tries: "a title has the control characters of a terminal",
    seen: "the import is refused",
  },
  "archive-big-letters": {
    tries: "an id is in capital letters, which the pages of a list cannot go on behind",
    seen: "the import is refused, and the list has its pages",
  },
  "archive-epoch": {
    tries: "a conversation is in the last epoch that a number can count",
    seen: "the import is refused",
  },
  "archive-call-without-result": {
    tries:
      "a call of a tool has no result, another one's, or a message in between: no vendor takes the conversation any more",
    seen: "the import is refused",
  },
  "archive-roles": {
    tries: "a message of a user calls a tool, or one of a model holds a tool's result",
    seen: "the import is refused",
  },
  "archive-unsendable": {
    tries:
      "a history has calls with one id, without one, or of what is no tool's name, half a surrogate pair, or begins with a model's words: no vendor takes the conversation any more",
    seen: "the import is refused",
  },
  "archive-step-back": {
    tries: "a step says that it ended before it began, so that its record cannot be shown",
    seen: "the record is shown, as one that took no time; so is that of a host whose clock was set back",
  },
  "archive-tools-twice": {
    tries: "an archive brings two lists of tools for one conversation",
    seen: "the import is refused",
  },
  "archive-tool-file": {
    tries:
      "the result of a tool holds a file that no host would have kept: too large, of another type, no file at all",
    seen: "the import is refused: vendors would refuse each request with it",
  },
  "archive-file": {
    tries: "a message holds a file that no client could have sent",
    seen: "the import is refused as such a message is",
  },
  "archive-prompt-of-stranger": {
    tries: "an archive brings a system prompt of its sender's making",
    seen: "it is sent, for the history was made with it, and explain and the list of constructions say that it was imported",
  },
  "archive-refused-leaves": {
    tries: "an archive is refused at its last line",
    seen: "nothing of it is stored, no list of tools and no prompt either",
  },
  "archive-key": {
    tries: "a record's key has NUL, a line break, or the beginning of another kind's keys in it",
    seen: "the import is refused",
  },
  "archive-sums": {
    tries: "a step says that it took more tokens, bytes or money than a number holds once it is added up",
    seen: "the import is refused, and the audit over all conversations goes on",
  },
  "archive-folder-link": {
    tries: "the folder that an archive names is a link to its reader's own files",
    seen: "the question names where it leads, and nothing is read before the answer",
  },
  "archive-folder-changes": {
    tries: "the folder that a person has allowed for an imported conversation becomes a link to another one",
    seen: "a person is asked about that one, and a tool works in the folder that was asked about",
  },
  "archive-of-old-host": {
    tries: "an archive that an older host took in as it came holds an answer that allows a tool for good",
    seen: "a person is asked before the tool runs",
  },
  "archive-future": {
    tries: "an archive's ids are of the end of all time",
    seen: "its next turn comes behind those before, and new conversations are made as ever",
  },
  "archive-cut-by-delete": {
    tries: "a conversation is deleted while it is being exported, so that half of it looks whole",
    seen: "the export fails, and has no last line",
  },
} as const satisfies Record<string, Attack>;
