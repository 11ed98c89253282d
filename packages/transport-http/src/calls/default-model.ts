/** Alias of the model of the profile or host. */
export const defaultModelName = "default";
