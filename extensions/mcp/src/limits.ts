/** For a line of stdio, an HTTP body, or an event of a stream. */
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
/** The pages of a list may never end. */
export const maxListPages = 1_000;

export const maxPrompts = 200;
export const maxPromptBytes = 16 * 1024;

/** A late server continues to start. */
export const promptListTimeoutMs = 5_000;

export const contentTimeoutMs = 30_000;

export const maxPromptTextBytes = 1024 * 1024;
export const maxPromptFileBytes = 5 * 1024 * 1024;

export const maxResources = 1_000;
export const maxResourceBytes = 5 * 1024 * 1024;

/** Below the 60 s after which the caller would continue without any. */
export const answerTimeoutMs = 50_000;

/** A start followed by a minute of running does not count: unused sessions end too. */
export const maxStarts = 3;
export const startWindowMs = 300_000;
export const steadyMs = 60_000;

export const maxOfferedServers = 128;

/** Every request pays for them. Together they have to fit into one segment. */
export const maxInstructionsBytes = 8 * 1024;
export const maxAllInstructionsBytes = 32 * 1024;

/** Other callers get a failed start's error for this long. */
export const toldFailureMs = 10_000;

export const maxFolders = 16;

export const folderIdleMs = 600_000;

export const maxRootQuestions = 100;

export const maxUnaskedQuestions = 2_000;
