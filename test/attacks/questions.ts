import type { Attack } from "./attacks.ts";

/** Each runs with every case of `questionCases` in the testkit. */
export const questionAttacks = {
  "question-terminal": {
    tries:
      "a call hides what it does behind its length, a preview, directions, characters without width, or the words of a question",
    seen: "the terminal shows all of it with escapes, and offers no yes before all of it was shown",
  },
  "question-lines": {
    tries: "the same, where the command asks in lines, as for a screen reader",
    seen: "all of it stands behind marks, and what was cut before can only be denied",
  },
  "question-page": {
    tries: "the same, on the page",
    seen: "the whole input stands beside the preview, and what is too long has no button that allows it",
  },
  "question-chat": {
    tries: "the same, in a chat, which used to cut a question at 1,500 characters and allowed the rest",
    seen: "the question takes as many messages as it needs; beyond six it can only be denied there",
  },
  "question-chat-frame": {
    tries: "a value ends the block of code of a chat's question and goes on in the words of the question",
    seen: "the block has a longer fence, and the value stays inside",
  },
  "question-chat-press": {
    tries: "a forged or repeated press allows a call whose question had no such button",
    seen: "the press is refused and the question stays open",
  },
  "question-chat-part": {
    tries: "the service refuses the first message of a question, and takes the last one with the buttons",
    seen: "what was not shown whole can only be denied in the chat, also by a forged press",
  },
  "question-stale-diff": {
    tries:
      "one reply has three edits of a file; the first two move the text that the third one replaces, after its diff was shown",
    seen: "the third is asked about again, with the diff of what it would do by then; denied, it changes nothing",
  },
  "question-stale-file": {
    tries:
      "a file appears where a new one was allowed, or a link is turned to another folder, while a write is asked about",
    seen: "the write is asked about again, with what it would replace by then",
  },
  "question-names-link": {
    tries: "a sent folder has a link README.md that leads to its Makefile, and a model writes README.md",
    seen: "the question names the file that the link leads to",
  },
  "question-cut-preview": {
    tries: "a client of the API allows a question whose preview is cut, or another answer for good would cover it",
    seen: "the host takes nothing but a denial",
  },
  "values-question-cut": {
    tries: "a question for values is longer than people are shown, and is answered for its beginning",
    seen: "it is not asked, and the tool is told which of its words are too long",
  },
  "question-editor": {
    tries: "the same, in an editor that cuts titles and names of answers",
    seen: "the content of the request has all of it, and what was cut before can only be denied",
  },
  "question-made": {
    tries: "a tool's scope, preview or reason holds directions and characters without width",
    seen: "they are escaped where the question is made, for every client of the API",
  },
} as const satisfies Record<string, Attack>;
