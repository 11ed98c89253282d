export {
  readExtensionFolder,
  type ExtensionFolder,
  type ReadOptions,
} from "./extension-folder/read-extension-folder.ts";
