export { absoluteFolders } from "./paths/absolute-folders.ts";
export { isInside } from "./paths/is-inside.ts";
export { userName } from "./user-name.ts";
