export { isInside, readFolderFile, type FolderFile } from "./trust/folder-file.ts";
export { openTrustStore, TrustStore } from "./trust/trust-store.ts";
