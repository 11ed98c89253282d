import type { DeferReason, DeferredServer } from "@incipit/schema";
import { amounts } from "./amounts.ts";

const { bytes, count, dollars, percent } = amounts;

interface Verdicts {
  readonly held: number;
  readonly broken: number;
  readonly expected: number;
}

const lookUpReasons = {
  configured: '"defer" is set in the configuration',
  "no-room": "they do not fit in a request (tools.shown_max, tools.shown_max_bytes)",
  "too-many": "too many to list in a request",
} as const satisfies Record<DeferReason, string>;

export const toldWords = {
  title: "Request inspector",
  of: "Conversation:",
  back: "Back to the conversation",
  none: "No model calls in this conversation yet. Send a message to see its request here.",
  noStep: "This conversation has no such model call. Choose one in the list.",
  list: {
    label: "Model calls",
    order: "Newest first",
    step: (number: number) => `Call ${count(number)}`,
    purpose: { turn: "a turn", compaction: "a compaction: summarizes the conversation" },
    newest: "newest",
    older: (left: number) => `Show ${count(left)} earlier calls`,
    legend: "Legend",
    read: "read from the vendor's cache, as reported",
    same: "unchanged since the previous call",
    fresh: "new or changed",
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
        held > 0 ? `${count(held)} with an intact prefix` : "",
        broken > 0 ? `${count(broken)} with a cache break` : "",
        expected > 0 ? `${count(expected)} changed on request` : "",
      ].filter((text) => text !== "");
      const calls = `${count(steps)} ${steps === 1 ? "call" : "calls"}`;
      return verdicts.length === 0 ? `${calls}.` : `${calls}: ${verdicts.join(", ")}.`;
    },
    tokens: (input: number, cacheRead: number | null) =>
      `${count(input)} tokens in${cacheRead === null ? "" : `, ${count(cacheRead)} of them from the cache`}.`,
    unreported: (steps: number) => `Not included: ${count(steps)} without reported tokens.`,
    cost: (billed: number, withoutCache: number) =>
      `The input cost ${dollars(billed)}; without a cache ${dollars(withoutCache)}.`,
    costAtMost: (billed: number, withoutCache: number) =>
      `The input cost at most ${dollars(billed)}, as the vendor did not report all cache reads; without a cache ${dollars(withoutCache)}.`,
    priced: (steps: number) => `This covers the ${count(steps)} with known prices.`,
    wasted: (usd: number) => `Cache breaks cost about ${dollars(usd)} of this.`,
  },
  audit: {
    mark: { first: "First", held: "Intact", expected: "On request", broken: "Cache break", unsent: "Not sent" },
    unsent: "The host sent no request.",
    first: "The first request of the conversation.",
    held: "Begins with the whole previous request, byte for byte.",
    notMeasured: "Not measured.",
    kept: (share: number) => `${percent(share)} of the previous request was reused.`,
    added: (added: number) => `${bytes(added)} are new.`,
    differs: (place: string, partByte: number, bodyByte: number) =>
      `First difference: ${place}, at its byte ${count(partByte)} (byte ${count(bodyByte)} of the request).`,
    because: (changes: string) => `Changed: ${changes}.`,
    more: (usd: number) => `It cost about ${dollars(usd)} more.`,
    whatToDo: "What to do:",
    missed: (tokens: number) =>
      tokens === 0
        ? "The prefix is intact, but the vendor read none of it from its cache: the entry expired (most do after some minutes), or this model has no cache."
        : `The prefix is intact, but the vendor read only ${count(tokens)} tokens of it from its cache: the rest expired, as most entries do after some minutes.`,
    expected: {
      compaction: "A summary replaced the history. Later requests are shorter; no action is needed.",
      other: "The prompt was rebuilt on request; no action is needed.",
    },
    parts: {
      tools: "the tools",
      system: "the system prompt",
      message: (number: number) => `message ${count(number)}`,
    },
  },
  step: {
    facts: "The call",
    when: "When",
    model: "Model",
    purpose: "For",
    took: "Duration",
    seconds: (seconds: number) => `${seconds.toFixed(2)} s`,
    tries: "Attempts",
    tokens: "Tokens",
    cost: "Cost",
    costOf: (input: number, output: number, isAtMost: boolean) =>
      `${isAtMost ? "at most " : ""}${dollars(input + output)} (input ${dollars(input)}, reply ${dollars(output)})`,
    noPrices: "The prices of this model are unknown.",
    free: "Nothing: this model is free.",
    charged: (usd: number) => `${dollars(usd)}, as the vendor reports it.`,
    missing: (what: string) => `Unknown: the vendor did not report the ${what}.`,
    ended: "Ended",
    notEnded: "Running.",
    cache: "Cache",
    unasked: "Ran without asking",
    unaskedBy: (tool: string, grants: string) => `${tool}, allowed by ${grants}`,
    redacted: (times: number) =>
      times === 1 ? "One secret is redacted here." : `${count(times)} secrets are redacted here.`,
  },
  context: {
    title: "Context usage",
    ofWindow: (tokens: number, window: number, share: number) =>
      `${count(tokens)} of the ${count(window)} tokens of the window: ${percent(share)}.`,
    noWindow: (tokens: number) => `${count(tokens)} tokens. The context window of this model is unknown.`,
    counted:
      "The vendor counted the whole input. The tokens of each part (≈) are its share of that count by bytes; costs are at the full input price, without a cache.",
    notCounted: "The vendor did not report tokens: sizes are bytes of text.",
    hasFiles: "It contains files, and vendors count their tokens differently: sizes are bytes.",
    nothing: "The content of this request is not stored any more.",
    total: (sizeBytes: number) => `${bytes(sizeBytes)} of content in total.`,
    part: "Part",
    size: "Size",
    tokens: "Tokens",
    cost: "Cost",
    share: "Share",
    all: (left: number) => `Show ${count(left)} smaller parts`,
    saved: (beforeBytes: number, afterBytes: number) =>
      `A compaction removed ${bytes(beforeBytes - afterBytes)}: from ${bytes(beforeBytes)} in the request before it to ${bytes(afterBytes)} in the next.`,
    savedTokens: (tokens: number) => `${count(tokens)} tokens less, as counted by the vendor.`,
    kinds: {
      template: "Template",
      variable: "Variable",
      segment: "Extension",
      append: "Appended template",
      request: "Sent with the call",
      system: "System message",
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
    title: "System prompt",
    none: "No system prompt was sent.",
    gone: "The system prompt is not stored any more.",
    noOrigin:
      "The origins of its parts are unknown: the conversation has another prompt now, or the call brought its own system messages.",
    tooLong: "Too long to highlight: see the list of parts below.",
    keys: "Arrow keys move between parts; Enter selects the part in the list.",
    text: (number: number, all: number) => (all === 1 ? "System message" : `System message ${number} of ${all}`),
    parts: "Parts and their origins",
    tiers: "Template precedence",
    tier: (name: string, source: string, reason: string) => `${name}: ${source}: ${reason}`,
    show: "Show",
    from: "From",
    absent: (name: string, reason: string) => `${name} had no value: ${reason}`,
  },
  tools: {
    title: "Tools",
    none: "No tool was offered.",
    gone: "The tools are not stored any more.",
    schema: "Arguments (JSON Schema)",
    lookedUp: ({ server, count: of, reason }: DeferredServer) =>
      `${count(of)} deferred tools of ${server}, found by tool search: ${lookUpReasons[reason]}.`,
  },
  messages: {
    title: "Messages",
    gone: "The messages are not stored any more.",
    none: "No message was sent.",
    earlier: (left: number) => `Show ${count(left)} earlier messages`,
    roles: { user: "You", assistant: "Model", tool: "Tool results" },
    summary: "Summary of earlier messages",
    item: (number: number, role: string, size: number) => `${count(number)}. ${role}, ${bytes(size)}`,
    reply: "Reply",
    noReply: "The model sent no reply.",
    parts: {
      text: "Text",
      reasoning: "Reasoning",
      "tool-call": (name: string) => `Calls ${name}`,
      "tool-result": (name: string, isError: boolean) => `${isError ? "Failure" : "Result"} of ${name}`,
      file: (name: string, sizeBytes: number) => `File ${name}, ${bytes(sizeBytes)}`,
    },
  },
  body: {
    title: "Raw body, as sent",
    label: "Raw body",
    address: "Address",
    headers: "Headers",
    size: (sizeBytes: number) => `${bytes(sizeBytes)} (${count(sizeBytes)} bytes)`,
    sentHash: "SHA-256 of the sent body",
    same: "The SHA-256 of the text shown is the same: it is the sent body, byte for byte.",
    redacted: (what: string) => `Not byte for byte: secrets are redacted (${what}). The rest is as sent.`,
    differs: "The SHA-256 of the text shown differs: the record may be damaged.",
  },
  compare: {
    title: "Compare with another call",
    choose: "Compare with",
    nothing: "Choose a call…",
    sameBodies: "The two bodies are identical.",
    sameUntil: (until: number) => `The two bodies are the same in their first ${count(until)} bytes.`,
    same: (what: string) => `${what}: the same.`,
    sameMessages: (times: number) =>
      times === 1 ? "The first message is the same." : `The first ${count(times)} messages are the same.`,
    gone: "Not stored any more",
    settings: "Model",
    added: "Only in this call",
    removed: "Only in the other",
    changed: "Different",
    this: "This call",
    other: "The other",
    nothingHere: "Nothing here.",
    more: (left: number) => `${count(left)} more differ.`,
  },
  drift: {
    badge: "The prompt would differ now",
    badgeOf: (names: string) => `The prompt would differ now: ${names}`,
    title: "The prompt would differ now",
    same: "Nothing has changed since the prompt was built.",
    none: "It has no prompt yet: its first turn builds one.",
    keptSince: (time: string) =>
      `The conversation uses the prompt that was built ${time} until a rebuild. Changes since then:`,
    kinds: {
      variable: "Variable",
      branch: "Condition",
      template: "Template",
      append: "Appended template",
      segment: "Extension",
      unknown: "Not known",
    },
    diff: "Line-by-line diff",
    cut: (rest: number) => `${count(rest)} more lines are not shown.`,
    cost: (tokens: number, isEstimate: boolean, usd: number | null) =>
      usd === 0
        ? "A rebuild costs nothing with this model."
        : `After a rebuild, the vendor's cache misses ${isEstimate ? "about " : ""}${count(tokens)} tokens: the next request pays the full price for them (${usd === null ? "the price of this model is unknown" : dollars(usd)}).`,
    rebuild: "Rebuild…",
    askTitle: "Rebuild the prompt?",
    ask: "Messages do not change. The current prompt stays on record, and the next message uses the new one.",
    agree: "Rebuild",
    rebuilt: "The prompt was rebuilt. The next message uses it.",
    unchanged: "The rebuilt prompt is identical: nothing changed.",
  },
} as const;
