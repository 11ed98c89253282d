/** Largest message of an agent, and most of what waits to be read by it. */
export const maxMessageBytes = 16 * 1_048_576;
export const maxMessageDepth = 1_000;

/** How many messages an agent may send within the window; not while it repeats a session that was asked for. */
export const maxMessages = 20_000;
export const messageWindowMs = 10_000;

/** Events of a reply that may wait for the host: then the agent is read no further. */
export const maxWaitingEvents = 1_000;

/** Longest wait for an answer to anything but a prompt, once an agent has started. */
export const answerTimeoutMs = 60_000;
/** How long an agent has to stop a prompt when it is asked to; then it is killed. */
export const cancelTimeoutMs = 10_000;
/** How often it is said that an agent is still at work: whoever waits for its reply takes silence for its end. */
export const atWorkEveryMs = 10_000;

/** What is told of a conversation that began before its session, in bytes of UTF-8; the oldest is left out. */
export const maxHistoryBytes = 65_536;
/** What is told of one tool's output in it. */
export const maxHistoryOutputBytes = 2_048;
/** What is kept and shown of one call of an agent's own tools, its arguments and its output each; UTF-16 units. */
export const maxShownLength = 16_384;
/** What is kept of what was sent until the next prompt is recorded, in UTF-16 units. */
export const maxUnrecordedLength = 262_144;

/** A session that nobody has used for so long is forgotten; its conversation would begin another one. */
export const keepSessionMs = 90 * 86_400_000;
