export {
  readExtensionFolder,
  type ExtensionFolder,
  type ReadOptions,
} from "./extension-folder/read-extension-folder.ts";
export { examineExtensions, type WantedExtensions } from "./extension-manager/examine-extensions.ts";
