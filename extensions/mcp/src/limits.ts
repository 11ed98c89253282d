/** Largest message of a server: a line of stdio, an HTTP body, an event of a stream. */
export const maxMessageBytes = 16 * 1024 * 1024;

/**
 * Deepest message. Tools beyond the host's own limit are skipped by name, which requires parsing; beyond this
 * depth, parsing takes a second and a gigabyte.
 */
export const maxMessageDepth = 100_000;

/** Most messages of a server within the window. */
export const maxMessages = 20_000;
export const messageWindowMs = 10_000;

/** Limits of a server's tools; tools that do not fit into requests are found by tool search. */
export const maxTools = 10_000;
export const maxDefinitionBytes = 64 * 1024;
export const maxListBytes = 16 * 1024 * 1024;
/** Most pages of `tools/list`, in case they never end. */
export const maxListPages = 1_000;

/** Limits of a server's prompts. */
export const maxPrompts = 200;
export const maxPromptBytes = 16 * 1024;

/** How long listing commands waits for a server, which continues to start. */
export const promptListTimeoutMs = 5_000;

/** Timeout for creating a prompt's message, and for reading a resource. */
export const contentTimeoutMs = 30_000;

/** Largest text of a prompt's message, and its files together. */
export const maxPromptTextBytes = 1024 * 1024;
export const maxPromptFileBytes = 5 * 1024 * 1024;

/** Limits of a server's resources. */
export const maxResources = 1_000;
export const maxResourceBytes = 5 * 1024 * 1024;

/** Timeout of lists, below the 60 s after which the caller would continue without any. */
export const answerTimeoutMs = 50_000;

/**
 * Most starts of a server within the window. A start followed by a minute of running does not count: unused
 * sessions end too.
 */
export const maxStarts = 3;
export const startWindowMs = 300_000;
export const steadyMs = 60_000;

/** Most servers offered by clients at a time, for all conversations. */
export const maxOfferedServers = 128;

/**
 * UTF-8 bytes of a server's instructions, and of all instructions, which every request of a conversation pays for.
 * Together they have to fit into one segment.
 */
export const maxInstructionsBytes = 8 * 1024;
export const maxAllInstructionsBytes = 32 * 1024;

/** How long a failed start is reported to other callers instead of starting again. */
export const toldFailureMs = 10_000;

/** Most working folders for which one server runs at a time, each with its own program. */
export const maxFolders = 16;

/** Idle time after which a folder's program ends. */
export const folderIdleMs = 600_000;

/** Most requests for the working folder within the message window. */
export const maxRootQuestions = 100;

/** Most unanswerable questions of a server within the message window. */
export const maxUnaskedQuestions = 2_000;
