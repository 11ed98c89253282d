export { fieldAnswer, type FieldAnswer } from "./text/field-answer.ts";
export { gutter } from "./text/gutter.ts";
export { answerText, fieldPrompt, fieldText, questionText, quotedName } from "./text/question-text.ts";
