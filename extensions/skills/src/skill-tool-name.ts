/** What models call to open a skill: nobody else's tool may be called so. */
export const skillToolName = "skill";
