import type { Attack } from "./attacks.ts";

export const skillAttacks = {
  "command-arguments": {
    tries: "what is given to a command holds `$1` and `$ARGUMENTS`, or is as long as the command names it often",
    seen: "it is put in once, and never looked at again; what becomes too much is refused before it is made",
  },
  "skill-flood": {
    tries: "a folder has 10,000 skills",
    seen: "none of them is read before it is trusted, and the list has its bound",
  },
  "skill-forged-line": {
    tries: "a skill's description has line breaks that make it look like another skill, or steers a terminal",
    seen: "it is one line of plain text",
  },
  "skill-link-out": {
    tries: "a skill, its SKILL.md or one of its files is a link to what lies outside of its folder",
    seen: "it is refused, by the list and by the tool",
  },
  "skill-untrusted": {
    tries: "a skill of a folder tells a model what to do, or stands in the place of its user's own one",
    seen: "nobody hears of it until a person trusts it as it is",
  },
} as const satisfies Record<string, Attack>;
