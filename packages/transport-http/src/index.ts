export { default } from "./extension.ts";
export { default as webPage } from "./page/web-page.ts";
