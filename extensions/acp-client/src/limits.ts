/** Largest message of an agent, and most buffered output to it. */
export const maxMessageBytes = 16 * 1_048_576;
export const maxMessageDepth = 1_000;

/** Most messages of an agent within the window, except while it replays a requested session. */
export const maxMessages = 20_000;
export const messageWindowMs = 10_000;

/** Most buffered events of a reply; beyond, reading from the agent pauses. */
export const maxWaitingEvents = 1_000;

/** Timeout of every request except prompts, once an agent has started. */
export const answerTimeoutMs = 60_000;
/** Grace period of a cancelled prompt before the agent is killed. */
export const cancelTimeoutMs = 10_000;
/** Interval of keep-alives, since the consumer treats silence as the end. */
export const atWorkEveryMs = 10_000;

/** Most UTF-8 bytes of history before a session; the oldest is omitted. */
export const maxHistoryBytes = 65_536;
/** Longest tool output within it. */
export const maxHistoryOutputBytes = 2_048;
/** Longest arguments and output shown of an agent's tool call, each in UTF-16 units. */
export const maxShownLength = 16_384;
/** Most UTF-16 units of sent messages kept for the next record. */
export const maxUnrecordedLength = 262_144;

/** Unused sessions are forgotten after this time; the conversation then starts a new session. */
export const keepSessionMs = 90 * 86_400_000;
