interface Stumble {
  readonly found: string;
  readonly seen: string;
}

/** Tests cite the ids: `test("[trial:paste] …")`. `trial.test.ts` fails for an id without a test. */
export const trial = {
  "piped-input": {
    found: '`git diff | incipit "Review"` asked without the diff, and said nothing of it',
    seen: "what is piped in is part of the question",
  },
  "ctrl-z": {
    found: "Ctrl-Z froze the chat, and the shell got a terminal that showed no keys",
    seen: "the shell has its terminal, and `fg` brings the chat back as it was, also while an answer comes",
  },
  paste: {
    found: "each line of what was pasted into a chat was sent as a message of its own, and paid for",
    seen: "what is pasted is one piece, and is sent when somebody sends it",
  },
  resize: {
    found: "a window that changed its size broke the line that was being written",
    seen: "no word of what is written, or of an answer that comes, is lost or stands twice",
  },
  "hidden-host": {
    found: "a command left a host behind, which kept the data folder",
    seen: "only `serve` leaves a host running: all others end with all that they have started",
  },
  "swallowed-errors": {
    found: "what went wrong in a turn, an extension or the configuration was shown nowhere",
    seen: "whoever runs the command reads what failed, and why",
  },
  "wrong-advice": {
    found: "an error named a command that did not exist, or did not help",
    seen: "commands and options that a text of the program names are taken by it",
  },
  "built-scaffold": {
    found: "what `extensions new` of the installed file wrote led nowhere: paths of a checkout, and no types",
    seen: "it has its types beside it, its test passes, and it does what it is for",
  },
  "type-ahead": {
    found: "keys that were typed while a model worked answered the question that came up next",
    seen: "a question is answered by what was typed after it was shown",
  },
  "question-line": {
    found: "a result was printed behind a question, on its line",
    seen: "nothing is printed between a question and its answer",
  },
  "plain-tools": {
    found: "a tool that is no async function broke the turn",
    seen: "it gives its text, or throws, at once",
  },
  "half-service": {
    found: "a service that lacked a method was taken, and failed when somebody called it",
    seen: "it is refused when it is provided, and what it lacks is named",
  },
  "mistyped-command": {
    found: "`incipit logni` was sent to a model, and paid for",
    seen: "it is not sent unless somebody says so",
  },
  "json-id": {
    found: "`--json` did not say which conversation it was, so that no script could go on with it",
    seen: "the first line has the conversation's id",
  },
  "utf16-offsets": {
    found: "offsets counted UTF-16 units, and led elsewhere behind the first emoji",
    seen: "offsets that people are shown are bytes of UTF-8, as the sizes beside them are",
  },
  "unattended-denial": {
    found: "where nobody could be asked, a model was told that the user had denied its call",
    seen: "the model and the caller are told that nobody was there, and how a call is allowed",
  },
  "one-call-model": {
    found: "a model that was named beside `-s` answered one message, and the next one had the old model again",
    seen: "it is the conversation's from there on, and that its cache begins anew is said",
  },
  "cjk-50": {
    found:
      "at 50 columns Chinese and Japanese text broke rows in the middle, and columns beside it did not line up",
    seen: "a character of two columns counts as two: no row is wider than the window, and columns line up",
  },
  "ctrl-c-silence": {
    found: "Ctrl-C ended a command without a word, and nobody knew what of it had happened",
    seen: "what was stopped is said, and how to go on",
  },
  "tables-50": {
    found: "tables wider than the window were wrapped by the terminal into noise",
    seen: "a table without room is a list, and each row of it fits",
  },
  "default-told": {
    found: "a page named a default that was not the default",
    seen: "the example of the configuration, the help and the guides name what the code uses",
  },
} as const satisfies Record<string, Stumble>;
