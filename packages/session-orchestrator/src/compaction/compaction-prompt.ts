/** Appended to the conversation's prompt for the summary call. */
export const COMPACTION_SYSTEM_PROMPT = `The conversation has grown long and is about to be replaced by a summary that you write now.
Write it for yourself: it will be all that you know of what came before. Keep what the user asked for and decided, what was done and
what came of it (names of files, commands, values, errors), what is still open, and what comes next. Leave out what no longer matters.
Answer with the summary alone.`;

export function compactionRequest(instructions?: string): string {
  const request = "Sum up our conversation so far, as your instructions say.";
  return instructions === undefined
    ? request
    : `${request}\n\nThe user asks this of the summary as well:\n${instructions}`;
}

export const summaryOpening = "Summary of the conversation so far:";
