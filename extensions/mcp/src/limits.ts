/** Largest message of a server: a line of stdio, an HTTP body, an event of a stream. */
export const maxMessageBytes = 16 * 1024 * 1024;

/**
 * Levels of one message. A tool that is nested deeper than the host's own limit is left out by name, which takes the whole message;
 * one that is deeper than this takes a second and a gigabyte to parse.
 */
export const maxMessageDepth = 100_000;

/** How many messages a server may send within the window, answers and others. */
export const maxMessages = 20_000;
export const messageWindowMs = 10_000;

/** What one server may have; what does not fit into requests is looked up. */
export const maxTools = 10_000;
export const maxDefinitionBytes = 64 * 1024;
export const maxListBytes = 16 * 1024 * 1024;
/** Most pages of `tools/list`: a server whose pages never end is cut off here. */
export const maxListPages = 1_000;

/** What one server may offer as commands, and how much it may say of one. */
export const maxPrompts = 200;
export const maxPromptBytes = 16 * 1024;

/** How long whoever looks at the commands waits for a server, which goes on starting meanwhile. */
export const promptListTimeoutMs = 5_000;

/** How long a server may take to make a message of a prompt, or to read a resource. */
export const contentTimeoutMs = 30_000;

/** Bytes of the text of a message that is made of a prompt, and of its files together. */
export const maxPromptTextBytes = 1024 * 1024;
export const maxPromptFileBytes = 5 * 1024 * 1024;

/** What one server may show of its resources, and how much of one it may give. */
export const maxResources = 1_000;
export const maxResourceBytes = 5 * 1024 * 1024;

/** Longest wait for lists: whoever asks waits for 60 s, and would then go on without any of them. */
export const answerTimeoutMs = 50_000;

/**
 * How often a server is started within the window, until it is left alone for the rest of it. A start after which it stayed
 * for a minute does not count: a session may end because nobody needed it.
 */
export const maxStarts = 3;
export const startWindowMs = 300_000;
export const steadyMs = 60_000;

/** Servers that clients offer at one moment, to all conversations together. */
export const maxOfferedServers = 128;

/**
 * UTF-8 bytes of what one server says of itself in a prompt, and of what all do: each request of a conversation pays for it. All
 * of it has to fit into one segment.
 */
export const maxInstructionsBytes = 8 * 1024;
export const maxAllInstructionsBytes = 32 * 1024;

/** How long the failure of a start that a prompt waited for is told to others as well, in place of another start. */
export const toldFailureMs = 10_000;

/** Working folders for which one server runs at once, each with a program of its own. */
export const maxFolders = 16;

/** How long a program that is for one working folder goes on running with nothing to do. */
export const folderIdleMs = 600_000;

/** How often a server may ask for its working folder within the window of its messages. */
export const maxRootQuestions = 100;

/** How many questions that nobody can be asked a server may ask within the window of its messages. */
export const maxUnaskedQuestions = 2_000;
