/** Built-in tools of epochs with deferred tools. */
export const searchToolName = "search_tools";
export const callToolName = "call_tool";
