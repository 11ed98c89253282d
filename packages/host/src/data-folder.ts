export { DataFolder, DataFolderHeld, tokenOf, type Holder } from "./data-folder/data-folder.ts";
export { makeFolders } from "./disk/synced-file.ts";
export { syncFolder } from "./disk/synced-file.ts";
export { writeSynced } from "./disk/synced-file.ts";
export { ClosedFolder } from "./drivers/files/closed-folder.ts";
export { directFetch } from "./drivers/net/plain-fetch.ts";
export { writeFailure } from "./failures/write-failure.ts";
