import type { Attack } from "./attacks.ts";

export const terminalAttacks = {
  "terminal-text-everywhere": {
    tries:
      "a text of others steers the terminal (clipboard, colours, directions, what cannot be seen), on any stream",
    seen: "it is written out as escapes that do nothing; only the command's own colours are codes",
  },
  "terminal-line-break": {
    tries: "a name or an error holds a line break and what looks like the command's next line",
    seen: "the break is shown as \\n, and nothing begins a line",
  },
  "terminal-answer": {
    tries: "a model's answer clears the screen, with the sequence split over two deltas",
    seen: "on a screen it is written out, in a file it is the model's bytes",
  },
  "terminal-deep-quotation": {
    tries:
      "a model's answer is quoted 100 times in itself: each level doubled the rows that were drawn, and the terminal ended",
    seen: "it is a quotation as deep as there is room for, and the terminal goes on, then and when it is opened again",
  },
  "terminal-dense-emphasis": {
    tries:
      "a model's answer has 20,000 marks of emphasis without an end, each looked for to the end of the paragraph",
    seen: "400 of a paragraph set off words, the others are text, and the terminal goes on, then and when it is opened again",
  },
  "terminal-export": {
    tries: "an export with 8-bit control sequences is printed on a screen",
    seen: "they are written out; a pipe gets the export's bytes",
  },
  "terminal-commands": {
    tries:
      "a file of the folder writes the clipboard and clears the screen where the terminal shows the prompt and its drift",
    seen: "it is written out as escapes, and the screen stays as it was",
  },
  "terminal-json": {
    tries: "a text in --json holds controls that JSON does not escape",
    seen: "they are escaped, and the line is one line and the same JSON",
  },
  "terminal-answer-on-a-screen": {
    tries: "a model's answer writes the clipboard (OSC 52) and clears the screen (8-bit CSI)",
    seen: "the screen shows the sequences as text",
  },
  "terminal-vendor-error": {
    tries: "a vendor's error holds control characters, a turned direction and the words of a question",
    seen: "one line of the command's with escapes in it",
  },
  "terminal-typed-ahead": {
    tries: "y and Enter were typed before a model's call was asked about, and Enter is pressed at the question",
    seen: "what was typed before answers nothing: the call is denied",
  },
  "terminal-typed-into-question": {
    tries:
      "a question of a call comes while somebody types a message with y and digits in it, at any moment, with Enter",
    seen: "no letter answers it: they are in the editor, and Enter sends them as a message",
  },
  "terminal-typed-into-own-question": {
    tries:
      "behind /export, whose file is there, and behind /trust somebody types on: Enter twice, and words that a list would find",
    seen: "no choice is made: letters are in the editor, and Enter counts once nobody has typed for a moment",
  },
  "terminal-line-typed-into-question": {
    tries: "two lines are typed at a question in lines; the first one is no answer, and y and Enter are behind it",
    seen: "what is no answer begins the settle time anew: the second line is dropped with it",
  },
  "terminal-line-half-written": {
    tries: "a question comes in lines while a message is half written, whose last letter is y",
    seen: "the letters stay the message's: the question is shown once it was entered or cleared",
  },
  "terminal-pasted-into-question": {
    tries: "y and Enter are pasted at a question of a call, with the marks of a paste and without them",
    seen: "both are the editor's: only keys that were read one by one answer",
  },
  "terminal-repeated-key": {
    tries: "y is held down at a question of a call, or Enter at the question before it",
    seen: "a key that repeats is text, and Enter for one question answers no other one",
  },
  "terminal-stopped-question": {
    tries: "the terminal is stopped while a question comes, and y and Enter are typed before it was seen",
    seen: "the pause begins anew when the terminal goes on: what was typed before is no answer",
  },
  "terminal-typed-ahead-delete": {
    tries:
      "y and Enter were typed before a deletion was asked about, and a word that is no answer, and Enter, at it",
    seen: "the word is asked about again, Enter alone denies: nothing is deleted",
  },
  "terminal-typed-ahead-without-enter": {
    tries: "y was typed without Enter before the question, and Enter is pressed at it",
    seen: "the answer is empty: the call is denied",
  },
  "terminal-question-typed-ahead": {
    tries: "y, a city and y were typed before an MCP server's question came up, and Ctrl-D is pressed at it",
    seen: "what was typed before answers nothing: the server is told of no city",
  },
  "terminal-question-text": {
    tries:
      "an MCP server's question, the titles of its fields and its choices clear the screen, and hold lines that look like the command's own",
    seen: "nothing steers the terminal, and each line of the server's begins with a mark, or stands in one of the command's",
  },
  "terminal-pasted-message": {
    tries: "a text is pasted into a chat, with line breaks that send it, and codes that come back to the screen",
    seen: "it is one message, sent by Enter; the codes are shown and sent as escapes",
  },
  "terminal-pasted-controls": {
    tries:
      "a text that is pasted into the editor of the terminal has line breaks, codes, turned directions and tags",
    seen: "it is one message that Enter sends; each of them is drawn as a sign of its own, and counted",
  },
  "terminal-pasted-name": {
    tries: "a text that is pasted into the editor of the terminal names a file of the person's with @",
    seen: "no file is attached, neither then nor when the message is taken out of the history again",
  },
  "terminal-file-name": {
    tries:
      "the name of a file holds a code and a turned direction, and a person takes it from what is offered behind @",
    seen: "each of them is drawn as a sign of its own in the editor, and the file is sent under its name",
  },
  "terminal-pasted-command": {
    tries:
      "a text that is pasted into the editor of the terminal begins with !, as what runs in the person's shell does",
    seen: "nothing of it runs, and it is a message",
  },
  "terminal-command-output": {
    tries:
      "what a command of ! prints holds escape sequences, a secret of the environment, and a fence that would end its own",
    seen: "nothing is sent before a message with its label is; then without the sequences and the secret, within its fence",
  },
  "terminal-pasted-answer": {
    tries: "a text of several lines is pasted at the question, with y and always among them",
    seen: "what is pasted is no answer",
  },
  "terminal-approval-scopes": {
    tries:
      "the path of a call, in what always would cover, has a line that looks like the command's own, or steers",
    seen: "each of its rows has the mark, and what steers is written out",
  },
  "terminal-approval-long-scope": {
    tries: "a command is so long that what its scope of always covers has no room in the terminal's question",
    seen: "its digit is no answer before Ctrl-O has shown all of it",
  },
  "terminal-approval-cut": {
    tries: "a call hides what it does behind 8,000 harmless characters",
    seen: "the question shows the call to its end, and how many rows it has",
  },
  "terminal-fake-question": {
    tries:
      "arguments hold, behind breaks and padding up to the terminal's width, what looks like the command's question",
    seen: "each row of the arguments begins with a mark that the command's own lines do not have",
  },
  "terminal-wide-characters": {
    tries:
      "arguments have characters that a terminal takes for wider than a library does, so that it wraps them by itself",
    seen: "rows are as short as the widest terminal needs",
  },
  "terminal-fake-argument": {
    tries: "an argument is padded so that its end stands where another argument would",
    seen: "the row that goes on has a mark of its own",
  },
  "terminal-blank-rows": {
    tries: "100,000 line breaks and as many spaces scroll the beginning of a call out of sight",
    seen: "empty rows are counted, and not printed",
  },
  "terminal-approval-escapes": {
    tries: "a tool's name, the names of arguments and their values steer the terminal or hide characters",
    seen: "all of it is written out",
  },
  "terminal-preview": {
    tries: "a file that is edited holds a line that looks like the question, and codes",
    seen: "the diff is shown as the call is: with marks and escapes",
  },
  "terminal-key-twice": {
    tries: "a call names an argument twice, spelled in two ways: what is shown is not what runs",
    seen: "it is refused with the key's name, and nobody is asked",
  },
  "terminal-retry": {
    tries: "a vendor's error before a new attempt holds codes, a turned direction and a question",
    seen: "one line with escapes",
  },
  "terminal-compaction-error": {
    tries: "the error of a compaction holds the same",
    seen: "one line with escapes",
  },
  "terminal-tool-problem": {
    tries: "an MCP server or an extension says of its tools what looks like the command's question",
    seen: "one line with escapes",
  },
  "terminal-tool-line": {
    tries: "a tool's name, its arguments or its error begin a line of their own",
    seen: "one line for the call, with the arguments as they were parsed",
  },
  "terminal-error-lines": {
    tries: "an error of several lines has one that looks like the command's",
    seen: "each line behind the first is set in",
  },
  "terminal-extension-error": {
    tries: "an extension throws an error that looks like another row of what is told about it",
    seen: "each row is one line, with escapes",
  },
  "terminal-title": {
    tries: "a conversation's title turns the question around that asks whether it is deleted",
    seen: "the title is one line with escapes",
  },
  "terminal-completion": {
    tries: "the name of a folder's agent, or a conversation's title, types a command for whoever presses Tab",
    seen: "titles stand beside ids with escapes, and a name with other characters than those of ids is not offered",
  },
  "terminal-unknown-answer": {
    tries: "the answer to a question is a word that is none, or the input ends",
    seen: "it is asked again; an end denies, and says so",
  },
  "terminal-huge-call": {
    tries: "a call has more arguments than anybody reads, so that the question is answered blindly",
    seen: "it is denied, and the reason is told",
  },
  "terminal-log-line": {
    tries: "an extension logs a line that holds another one, and characters that hide or turn around",
    seen: "one line of its own, with escapes",
  },
  "terminal-hidden-message": {
    tries: "a message stands in tags or variation selectors behind an emoji, where nobody sees it",
    seen: "the message is written out, and the emoji stays",
  },
  "terminal-look-alike": {
    tries: "two names differ in what cannot be seen",
    seen: "they are shown as different",
  },
  "terminal-overwritten-line": {
    tries: "a carriage return or a backspace writes over what was shown",
    seen: "both are written out",
  },
  "terminal-printed-meanwhile": {
    tries:
      "another tool's error, or a log's line, is printed while a question is open, padded so that the terminal wraps it into another question",
    seen: "nothing is printed between a question and its answer: it waits until that is there",
  },
  "terminal-trust-cut": {
    tries: "a folder's incipit.toml hides what a program does behind 8,000 harmless characters of its arguments",
    seen: "whoever is asked to trust it is shown the words to their end, and how many rows they have",
  },
  "terminal-trust-row": {
    tries: "the same is padded up to the terminal's width, so that its end looks like the command's question",
    seen: "each row of it begins with a mark that the command's own lines do not have",
  },
  "terminal-grant-row": {
    tries: "an extension asks for a file with a name that is padded so",
    seen: "each row of it begins with such a mark",
  },
  "terminal-grant-words": {
    tries: "what an extension asks for has a name that passes for another one",
    seen: "the name stands in quotes, with escapes",
  },
} as const satisfies Record<string, Attack>;
