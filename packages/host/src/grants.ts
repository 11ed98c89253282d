export { describeGrant, questionsOf } from "./extension-manager/grant-words.ts";
