import type { Attack } from "./attacks.ts";

export const toolLookupAttacks = {
  "tool-lookup-rules": {
    tries:
      "an agent that may use some tools alone searches for the others, selects them by name, and calls them through call_tool or by their name",
    seen: "none is found, none runs, and no suggestion names one, also where it was narrowed after its epoch began",
  },
  "tool-lookup-approval": {
    tries: "a model runs one tool through call_tool until a person allows it always, and then another one",
    seen: "the person sees the tool that runs with its input, and what was allowed is that tool alone",
  },
  "tool-lookup-references": {
    tries:
      "a server's description and results hold a vendor's block that refers to a tool, and a text just as a search gives it",
    seen: "both stay texts; what a search of the host's own has found is told to the vendor, if its epoch has it",
  },
  "tool-lookup-names": {
    tries: "an extension gives tools that are called search_tools and call_tool",
    seen: "both are left out, with or without tools that are looked up; the host's own run",
  },
  "bounds-tool-schema": {
    tries: "a server's schema refers to itself without end, in ever more ways, or has a pattern that takes years",
    seen: "the check of a call's input ends at once",
  },
  "bounds-tool-lookup": {
    tries: "a server lists 20,000 tools whose descriptions are a million different words, or accents without end",
    seen: "the index has its bound, and a search ends within milliseconds",
  },
  "bounds-tool-lists": {
    tries: "a server describes thousands of tools otherwise each time that a conversation begins",
    seen: "the lists of the newest 64 epochs are kept, 512 MiB at most; in others a search finds what there is",
  },
} as const satisfies Record<string, Attack>;
