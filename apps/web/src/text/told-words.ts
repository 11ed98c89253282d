import type { DeferReason, DeferredServer } from "@incipit/schema";
import { amounts } from "./amounts.ts";

const { bytes, count, dollars, percent } = amounts;

interface Verdicts {
  readonly held: number;
  readonly broken: number;
  readonly expected: number;
}

const lookUpReasons = {
  configured: 'its "defer" in the configuration says so',
  "no-room": "they do not fit into each request (tools.shown_max, tools.shown_max_bytes)",
  "too-many": "no request can name them all",
} as const satisfies Record<DeferReason, string>;

export const toldWords = {
  title: "What the model was told",
  of: "Conversation:",
  back: "Back to the conversation",
  none: "No model was called in this conversation yet. Send a message: what the model is told then stands here.",
  noStep: "This conversation has no such model call. Choose one in the list.",
  list: {
    label: "Model calls",
    order: "The newest first",
    step: (number: number) => `Call ${count(number)}`,
    purpose: { turn: "a turn", compaction: "a compaction: sums the conversation up" },
    newest: "newest",
    older: (left: number) => `Show ${count(left)} earlier calls`,
    legend: "What the bars show",
    read: "read from the vendor's cache, as reported",
    same: "the same as the call before",
    fresh: "new, or not as before",
    input: (tokens: number) => `${count(tokens)} tokens in`,
    output: (tokens: number) => `${count(tokens)} out`,
    cached: (tokens: number) => `${count(tokens)} from the cache`,
    noUsage: "the vendor reported no tokens",
    cost: (usd: number) => `input ${dollars(usd)}`,
    costAtMost: (usd: number) => `input at most ${dollars(usd)}`,
  },
  totals: {
    calls: (steps: number, { held, broken, expected }: Verdicts) => {
      const verdicts = [
        held > 0 ? `${count(held)} held` : "",
        broken > 0 ? `${count(broken)} broken` : "",
        expected > 0 ? `${count(expected)} not as before because somebody asked` : "",
      ].filter((text) => text !== "");
      const calls = `${count(steps)} ${steps === 1 ? "call" : "calls"}`;
      return verdicts.length === 0 ? `${calls}.` : `${calls}: ${verdicts.join(", ")}.`;
    },
    tokens: (input: number, cacheRead: number | null) =>
      `${count(input)} tokens in${cacheRead === null ? "" : `, ${count(cacheRead)} of them from the cache`}.`,
    unreported: (steps: number) => `Without ${count(steps)} of which the vendor reported none.`,
    cost: (billed: number, withoutCache: number) =>
      `The input cost ${dollars(billed)}; without a cache ${dollars(withoutCache)}.`,
    costAtMost: (billed: number, withoutCache: number) =>
      `The input cost at most ${dollars(billed)}, as the vendor did not report all that it read from its cache; without a cache ${dollars(withoutCache)}.`,
    priced: (steps: number) => `That is of ${count(steps)} whose prices are known.`,
    wasted: (usd: number) => `Broken prefixes cost about ${dollars(usd)} of it.`,
  },
  audit: {
    mark: { first: "First", held: "Held", expected: "As asked", broken: "Broken", unsent: "Not sent" },
    unsent: "Nothing left the host.",
    first: "The first request: nothing was sent before it.",
    held: "Begins with the whole request before it, byte for byte.",
    notMeasured: "It was not measured.",
    kept: (share: number) => `${percent(share)} of the request before was sent again as it was.`,
    added: (added: number) => `${bytes(added)} are new.`,
    differs: (place: string, partByte: number, bodyByte: number) =>
      `The first part that differs: ${place}, at its byte ${count(partByte)} (byte ${count(bodyByte)} of the request).`,
    because: (changes: string) => `Not as before: ${changes}.`,
    more: (usd: number) => `It cost about ${dollars(usd)} more.`,
    whatToDo: "What to do:",
    missed: (tokens: number) =>
      tokens === 0
        ? "It is as before, and the vendor read nothing of it from a cache: the entry has expired, as most do after some minutes, or nothing is cached for this model."
        : `It is as before, and the vendor read ${count(tokens)} tokens of it: its cache had let go of the rest, as most do after some minutes.`,
    expected: {
      compaction: "The history was replaced by its summary. What follows is shorter; there is nothing to do.",
      other: "The prompt was built again because somebody asked for it; there is nothing to do.",
    },
    parts: {
      tools: "the tools",
      system: "the system text",
      message: (number: number) => `message ${count(number)}`,
    },
  },
  step: {
    facts: "The call",
    when: "When",
    model: "Model",
    purpose: "For",
    took: "Took",
    seconds: (seconds: number) => `${seconds.toFixed(2)} s`,
    tries: "Tries",
    tokens: "Tokens",
    cost: "Cost",
    costOf: (input: number, output: number, isAtMost: boolean) =>
      `${isAtMost ? "at most " : ""}${dollars(input + output)} (input ${dollars(input)}, reply ${dollars(output)})`,
    noPrices: "The prices of this model are not known here.",
    free: "Nothing: this model is free.",
    charged: (usd: number) => `${dollars(usd)}, as the vendor reports it.`,
    missing: (what: string) => `Not known: the vendor did not report the ${what}.`,
    ended: "Ended",
    notEnded: "It has not ended.",
    cache: "Cache",
    unasked: "Ran unasked",
    unaskedBy: (tool: string, grants: string) => `${tool}, allowed by ${grants}`,
    redacted: (times: number) =>
      times === 1
        ? "One secret was left out of what you see."
        : `${count(times)} secrets were left out of what you see.`,
  },
  context: {
    title: "What fills the context",
    ofWindow: (tokens: number, window: number, share: number) =>
      `${count(tokens)} of the ${count(window)} tokens of the window: ${percent(share)}.`,
    noWindow: (tokens: number) => `${count(tokens)} tokens. How many this model takes is not known here.`,
    counted:
      "The vendor counted the whole input. The tokens of each part (≈) are its share of that count by bytes; money is at the full price of input, as without a cache.",
    notCounted: "The vendor did not report tokens: sizes are bytes of text.",
    hasFiles: "There are files in it, whose tokens each vendor counts its own way: sizes are bytes.",
    nothing: "Nothing that filled it is kept.",
    total: (sizeBytes: number) => `${bytes(sizeBytes)} of content in all.`,
    part: "Part",
    size: "Size",
    tokens: "Tokens",
    cost: "Cost",
    share: "Share",
    all: (left: number) => `Show ${count(left)} smaller parts`,
    saved: (beforeBytes: number, afterBytes: number) =>
      `A compaction took ${bytes(beforeBytes - afterBytes)} out: the request before it had ${bytes(beforeBytes)}, the one after it ${bytes(afterBytes)}.`,
    savedTokens: (tokens: number) => `As the vendor counted, ${count(tokens)} tokens less.`,
    kinds: {
      template: "Template",
      variable: "Variable",
      segment: "Extension",
      append: "Appended template",
      request: "Came with the call",
      system: "System text",
      settings: "Settings of the call",
      tool: "Tool definition",
      summary: "Summary",
      user: "You",
      assistant: "Model",
      "tool-result": "Tool result",
    },
    message: (number: number, said: string) => `${count(number)}: ${said}`,
  },
  system: {
    title: "System text",
    none: "No system text was sent.",
    gone: "The system text is not kept any more.",
    noOrigin:
      "Where its parts came from is not known any more: the conversation has another prompt since, or texts came with the call.",
    tooLong: "It is too long to be coloured: its parts are in the list below.",
    keys: "Arrow keys go from part to part; Enter marks it in the list of parts.",
    text: (number: number, all: number) => (all === 1 ? "System text" : `System text ${number} of ${all}`),
    parts: "Its parts, and where they came from",
    tiers: "Which template won",
    tier: (name: string, source: string, reason: string) => `${name}: ${source}: ${reason}`,
    show: "Show",
    from: "From",
    absent: (name: string, reason: string) => `${name} had no value: ${reason}`,
  },
  tools: {
    title: "Tools",
    none: "No tool was offered.",
    gone: "The tools are not kept any more.",
    schema: "Arguments (JSON Schema)",
    lookedUp: ({ server, count: of, reason }: DeferredServer) =>
      `The model can look up ${count(of)} more, of ${server}: ${lookUpReasons[reason]}.`,
  },
  messages: {
    title: "Messages",
    gone: "The messages are not kept any more.",
    none: "No message was sent.",
    earlier: (left: number) => `Show ${count(left)} earlier messages`,
    roles: { user: "You", assistant: "Model", tool: "Tool results" },
    summary: "Summary of what came before",
    item: (number: number, role: string, size: number) => `${count(number)}. ${role}, ${bytes(size)}`,
    reply: "Reply",
    noReply: "The model gave no reply.",
    parts: {
      text: "Text",
      reasoning: "Reasoning",
      "tool-call": (name: string) => `Calls ${name}`,
      "tool-result": (name: string, isError: boolean) => `${isError ? "Failure" : "Result"} of ${name}`,
      file: (name: string, sizeBytes: number) => `File ${name}, ${bytes(sizeBytes)}`,
    },
  },
  body: {
    title: "The raw body, as it was sent",
    label: "Raw body",
    address: "Address",
    headers: "Headers",
    size: (sizeBytes: number) => `${bytes(sizeBytes)} (${count(sizeBytes)} bytes)`,
    sentHash: "SHA-256 of what was sent",
    same: "The SHA-256 of what you see is the same: this is byte for byte what was sent.",
    redacted: (what: string) =>
      `Not byte for byte: secrets were left out of it (${what}). The rest is as it was sent.`,
    differs: "The SHA-256 of what you see is another one: the record may be damaged.",
  },
  compare: {
    title: "Side by side with another call",
    choose: "Compare with",
    nothing: "Choose a call…",
    sameBodies: "The two bodies are the same, byte for byte.",
    sameUntil: (until: number) => `The two bodies are the same in their first ${count(until)} bytes.`,
    same: (what: string) => `${what}: the same.`,
    sameMessages: (times: number) =>
      times === 1 ? "The first message is the same." : `The first ${count(times)} messages are the same.`,
    onlyThere: "Only there",
    gone: "Not kept any more",
    settings: "Model",
    added: "Only in this call",
    removed: "Only in the other",
    changed: "Not the same",
    this: "This call",
    other: "The other",
    nothingHere: "Nothing here.",
    more: (left: number) => `${count(left)} more differ.`,
  },
  drift: {
    badge: "The prompt would differ now",
    badgeOf: (names: string) => `The prompt would differ now: ${names}`,
    title: "The prompt would differ now",
    same: "Nothing has changed since the prompt was built: built now, it would be the same.",
    none: "It has no prompt yet: its first turn builds one.",
    keptSince: (time: string) =>
      `The conversation keeps the prompt that was built ${time}, and sends it until it is built again. This is what changed since:`,
    kinds: {
      variable: "Variable",
      branch: "Condition",
      template: "Template",
      append: "Appended template",
      segment: "Extension",
      unknown: "Not known",
    },
    diff: "The difference, line by line",
    cut: (rest: number) => `${count(rest)} more lines are not shown.`,
    cost: (tokens: number, isEstimate: boolean, usd: number | null) =>
      usd === 0
        ? "A rebuild costs nothing with this model."
        : `After a rebuild, the vendor's cache is of no use for ${isEstimate ? "about " : ""}${count(tokens)} tokens: the next request pays them in full (${usd === null ? "the price of this model is not known here" : dollars(usd)}).`,
    rebuild: "Rebuild…",
    askTitle: "Build the prompt again?",
    ask: "What was said stays as it is. The prompt before it stays on record, and the next message is sent with the new one.",
    agree: "Rebuild it",
    rebuilt: "The prompt was built again. The next message is sent with it.",
    unchanged: "Built again, the prompt is the one that was kept: nothing changed.",
  },
} as const;
