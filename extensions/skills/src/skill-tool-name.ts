export const skillToolName = "skill";
