/** Maximum size of a message: a line of stdio, an HTTP body, or an event of a stream. */
export const maxMessageBytes = 16 * 1024 * 1024;

/**
 * Tools beyond the host's own limit are skipped by name, which requires parsing; beyond this depth, parsing takes a
 * second and a gigabyte.
 */
export const maxMessageDepth = 100_000;

export const maxMessages = 20_000;
export const messageWindowMs = 10_000;

export const maxTools = 10_000;
export const maxDefinitionBytes = 64 * 1024;
export const maxListBytes = 16 * 1024 * 1024;
/** Maximum number of pages of a list, which otherwise may never end. */
export const maxListPages = 1_000;

export const maxPrompts = 200;
export const maxPromptBytes = 16 * 1024;

/** Timeout of a list of prompts; a server that is late continues to start. */
export const promptListTimeoutMs = 5_000;

export const contentTimeoutMs = 30_000;

export const maxPromptTextBytes = 1024 * 1024;
export const maxPromptFileBytes = 5 * 1024 * 1024;

export const maxResources = 1_000;
export const maxResourceBytes = 5 * 1024 * 1024;

/** Timeout of a server's start; below the 60 s after which the caller continues without any tools. */
export const answerTimeoutMs = 50_000;

/** A start followed by a minute of running does not count: unused sessions end too. */
export const maxStarts = 3;
export const startWindowMs = 300_000;
export const steadyMs = 60_000;

export const maxOfferedServers = 128;

/** Every request pays for them. Together they have to fit into one segment. */
export const maxInstructionsBytes = 8 * 1024;
export const maxAllInstructionsBytes = 32 * 1024;

/** Time during which other callers get the error of a failed start, instead of a new start. */
export const toldFailureMs = 10_000;

export const maxFolders = 16;

export const folderIdleMs = 600_000;

export const maxRootQuestions = 100;

export const maxUnaskedQuestions = 2_000;
