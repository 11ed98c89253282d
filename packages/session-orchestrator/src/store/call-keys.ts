/** Stands for the conversation in the keys of the requests of calls that have none: `wire:call:ID`. */
export const callsOwner = "call";

/** Under the ids of calls, which are in the order of their beginning. */
export const callKeys = {
  call: (callId: string): string => `call:${callId}`,
  calls: "call:",
  /** What a call was told, and how that came about. */
  prompt: (callId: string): string => `call-prompt:${callId}`,
  /** What a model said, where its vendor wants some of it back. */
  reply: (callId: string): string => `call-reply:${callId}`,
  /** What the protocol of its client keeps of it. */
  kept: (callId: string): string => `call-kept:${callId}`,
  /** Calls that have not ended. */
  active: (callId: string): string => `call-active:${callId}`,
  allActive: "call-active:",
} as const;
