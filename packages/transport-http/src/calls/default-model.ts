/** Names the model that the profile or the host has. */
export const defaultModelName = "default";
