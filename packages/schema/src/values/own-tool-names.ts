/** The tools that every epoch has whose other tools are looked up when they are needed. */
export const searchToolName = "search_tools";
export const callToolName = "call_tool";
