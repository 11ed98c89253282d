import type { Attack } from "./attacks.ts";

export const rulesAttacks = {
  "rules-flood": {
    tries:
      "imports name each other in a circle, or on and on; a folder has 10,000 rules, files of 1 MB, pipes, and no text",
    seen: "depth, number and size have their bound; what is over it is left out, and explain says so",
  },
  "rules-import": {
    tries: "a CLAUDE.md imports the keys of its repository, a file elsewhere, or a link that leads there",
    seen: "only files of the repository that a person trusts as they are are put in, whatever [prompt] untrusted says",
  },
  "rules-untrusted": {
    tries: "one of several instruction files is a stranger's, or has changed since it was trusted",
    seen: "each is judged by itself: asked about by name, or left out, as [prompt] untrusted says",
  },
} as const satisfies Record<string, Attack>;
