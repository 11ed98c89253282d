/** Name of the tool that opens skills; reserved. */
export const skillToolName = "skill";
