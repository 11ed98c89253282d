export const maxMessageBytes = 16 * 1_048_576;
export const maxMessageDepth = 1_000;

/** Within the window, except while the agent replays a requested session. */
export const maxMessages = 20_000;
export const messageWindowMs = 10_000;

export const maxWaitingEvents = 1_000;

/** For every request except prompts, once an agent has started. */
export const answerTimeoutMs = 60_000;
export const cancelTimeoutMs = 10_000;
/** The consumer treats silence as the end. */
export const atWorkEveryMs = 10_000;

export const maxHistoryBytes = 65_536;
export const maxHistoryOutputBytes = 2_048;
/** For arguments and output each, in UTF-16 units. */
export const maxShownLength = 16_384;
/** In UTF-16 units. */
export const maxUnrecordedLength = 262_144;

export const keepSessionMs = 90 * 86_400_000;
