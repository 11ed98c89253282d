export { breath, MessageRate } from "./message-rate.ts";
export { ProgramMessages, type MessageLimits } from "./program-messages.ts";
export { ProgramSecrets } from "./program-secrets.ts";
export { unlessAborted } from "./unless-aborted.ts";
