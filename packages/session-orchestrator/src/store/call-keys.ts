/** Replaces the conversation id in request keys of stateless calls: `wire:call:ID`. */
export const callsOwner = "call";

/** Ids sort by start time. */
export const callKeys = {
  call: (callId: string): string => `call:${callId}`,
  calls: "call:",
  prompt: (callId: string): string => `call-prompt:${callId}`,
  /** Parts that the vendor requires back. */
  reply: (callId: string): string => `call-reply:${callId}`,
  kept: (callId: string): string => `call-kept:${callId}`,
  active: (callId: string): string => `call-active:${callId}`,
  allActive: "call-active:",
} as const;
