export { examineFolder, type ExaminedFolder } from "./trust/examine-folder.ts";
export { configName, readFolderConfig, type FolderConfig } from "./trust/folder-config.ts";
export { readFolderFile, type FolderFile } from "./trust/folder-file.ts";
export { harmlessKeys, splitHarmless, type SplitTable, withoutOwnKeys } from "./trust/harmless-keys.ts";
export type { TrustedFolder } from "./trust/trust-file.ts";
export { openTrustStore, TrustStore } from "./trust/trust-store.ts";
export { requestedPermissionsOf } from "./trust/requested-permissions.ts";
