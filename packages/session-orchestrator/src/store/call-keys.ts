/** Replaces the conversation id in request keys of stateless calls: `wire:call:ID`. */
export const callsOwner = "call";

/** Keys by call id; ids sort by start time. */
export const callKeys = {
  call: (callId: string): string => `call:${callId}`,
  calls: "call:",
  /** The prompt of a call and its explanation. */
  prompt: (callId: string): string => `call-prompt:${callId}`,
  /** Parts of a reply that the vendor requires back. */
  reply: (callId: string): string => `call-reply:${callId}`,
  /** Data of the client's protocol. */
  kept: (callId: string): string => `call-kept:${callId}`,
  active: (callId: string): string => `call-active:${callId}`,
  allActive: "call-active:",
} as const;
