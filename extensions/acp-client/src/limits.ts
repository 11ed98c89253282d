export const maxMessageBytes = 16 * 1_048_576;
export const maxMessageDepth = 1_000;

/** Maximum number of messages per window, except while the agent replays a session that the host has requested. */
export const maxMessages = 20_000;
export const messageWindowMs = 10_000;

export const maxWaitingEvents = 1_000;

/** Timeout of every request except prompts, once an agent has started. */
export const answerTimeoutMs = 60_000;
export const cancelTimeoutMs = 10_000;
/** Interval of signals that the agent is working, because the consumer takes a long silence for a failure. */
export const atWorkEveryMs = 10_000;

export const maxHistoryBytes = 65_536;
export const maxHistoryOutputBytes = 2_048;
/** Maximum displayed length of a tool call's arguments, and of its output, in UTF-16 units. */
export const maxShownLength = 16_384;
/** In UTF-16 units. */
export const maxUnrecordedLength = 262_144;

export const keepSessionMs = 90 * 86_400_000;
