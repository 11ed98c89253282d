/** For a line of stdio, an HTTP body, or an event of a stream. */
export const maxMessageBytes = 16 * 1024 * 1024;

/**
 * Tools beyond the host's own limit are skipped by name, which requires parsing; beyond this depth, parsing takes a
 * second and a gigabyte.
 */
export const maxMessageDepth = 100_000;

/** Per server, within the window. */
export const maxMessages = 20_000;
export const messageWindowMs = 10_000;

/** Tools that do not fit into requests are found by tool search. */
export const maxTools = 10_000;
export const maxDefinitionBytes = 64 * 1024;
export const maxListBytes = 16 * 1024 * 1024;
/** Lists may never end. */
export const maxListPages = 1_000;

export const maxPrompts = 200;
export const maxPromptBytes = 16 * 1024;

/** The server continues to start. */
export const promptListTimeoutMs = 5_000;

/** For a prompt's message, and for a resource. */
export const contentTimeoutMs = 30_000;

/** For the text, and for all files together. */
export const maxPromptTextBytes = 1024 * 1024;
export const maxPromptFileBytes = 5 * 1024 * 1024;

export const maxResources = 1_000;
export const maxResourceBytes = 5 * 1024 * 1024;

/** Below the 60 s after which the caller would continue without any. */
export const answerTimeoutMs = 50_000;

/** Within the window. A start followed by a minute of running does not count: unused sessions end too. */
export const maxStarts = 3;
export const startWindowMs = 300_000;
export const steadyMs = 60_000;

/** For all conversations. */
export const maxOfferedServers = 128;

/** Per server, and for all, which every request pays for. Together they have to fit into one segment. */
export const maxInstructionsBytes = 8 * 1024;
export const maxAllInstructionsBytes = 32 * 1024;

/** Other callers get a failed start's error for this long. */
export const toldFailureMs = 10_000;

/** Per server; each folder has its own program. */
export const maxFolders = 16;

/** Idle time after which a folder's program ends. */
export const folderIdleMs = 600_000;

/** Within the message window. */
export const maxRootQuestions = 100;

/** Within the message window. */
export const maxUnaskedQuestions = 2_000;
