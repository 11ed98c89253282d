export { describeGrant, questionsOf } from "./extension-manager/describe-grant.ts";
