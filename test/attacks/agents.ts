import type { Attack } from "./attacks.ts";

export const agentAttacks = {
  "agent-untrusted": {
    tries:
      "a file of a folder tells an agent what to do, or stands in the place of its user's own agent of that name",
    seen: "it is neither used nor told until a person trusts it as it is, nor when it has changed since",
  },
  "agent-written-elsewhere": {
    tries:
      "whoever may write agents has one written into a folder that nobody trusts, or through a link that leads out of its folder",
    seen: "it is refused, and no file is there or other than before",
  },
} as const satisfies Record<string, Attack>;
