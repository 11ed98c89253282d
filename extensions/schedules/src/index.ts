export { default } from "./extension.ts";
