import type { Attack } from "./attacks.ts";

export const filesAttacks = {
  "files-put-back-link": {
    tries:
      "a folder is a link out of the working folder, or to another one in it, when files are put back that a turn changed there; behind it lie files with the same bytes",
    seen: "nothing is written or removed behind the link, and the files are told of as changed",
  },
  "files-setuid-content": {
    tries: "a tool edits or replaces a file that has setuid, setgid or the sticky bit, also through a link",
    seen: "the new content has none of these bits, and keeps the nine others",
  },
  "files-put-back-lie": {
    tries:
      "a tool of an extension without any grant says of files in the home and in the folder of the call what they were before, and what it leaves there, so that a person who takes the turn back writes one, makes one and removes one",
    seen: "all stay as they are: files are put back below the folder of the call alone, to what the host itself has read there",
  },
  "files-read-outside": {
    tries:
      "a reply names the host's token and other files outside of its folder: by .., an absolute path, links to a file, to a folder and back in",
    seen: "none of them is sent, and each has its reason",
  },
  "files-read-hidden": {
    tries: "a reply names a key in .ssh of its folder, also by a link with a harmless name",
    seen: "it is not sent",
  },
  "files-said-in-code": {
    tries: "a text that the model shows as code has lines that would send a file",
    seen: "they stay text",
  },
  "files-turned-into-link": {
    tries: "a file that was good when the model asked for it is a link out of the folder when the reply is sent",
    seen: "it is not sent",
  },
  "files-sent-over-hook": {
    tries: "a folder's .incipit/inbox is a link to .git/hooks, and somebody sends a file called post-checkout",
    seen: "nothing is written there",
  },
  "files-sent-onto-link": {
    tries: "a link stands in the place of a file that is being kept, from before or from one moment to the next",
    seen: "it stays as it is, and the file lies beside it",
  },
  "files-sent-by-path": {
    tries: "somebody sends files called ../../.bashrc, /etc/passwd, AGENTS.md, .env and with control characters",
    seen: "all of them lie in the inbox, under names of the host's that nothing obeys",
  },
} as const satisfies Record<string, Attack>;
