export { channelCommands } from "./channels/channel-commands.ts";
export { channelNeeds, channelSettings, channelTable, channelWishes } from "./channels/channel-table.ts";
export { backOffMs, undelivered, unreachedMs, withoutTokenMs } from "./http/delivery.ts";
export { lenient, readableItems } from "./channels/lenient.ts";
export { setNewest } from "./channels/set-newest.ts";
export { uploadName } from "./channels/upload-name.ts";
