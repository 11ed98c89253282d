export { chatKeys, chatsKey } from "./channels/chat-settings.ts";
export { lenient, readableItems } from "./channels/lenient.ts";
export { uploadName } from "./channels/upload-name.ts";
