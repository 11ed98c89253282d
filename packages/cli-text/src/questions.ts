export { fieldAnswer, type FieldAnswer } from "./field-answer.ts";
export { gutter } from "./gutter.ts";
export { answerText, fieldPrompt, fieldText, questionText, quotedName } from "./question-text.ts";
