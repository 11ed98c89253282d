import { expect, test } from "bun:test";
import { failureOf } from "./failure-code.ts";

const codeOf = (message: string, status = 400): string => failureOf({ status, message, names: [] }, message).code;

test("failureOf distinguishes a rejected file from other errors and a too long request", () => {
  for (const message of [
    "Could not process image",
    "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 5316852 bytes > 5242880 bytes",
    "messages.2.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
    "The image data you provided does not represent a valid image. Please check your input and try again with one of the following image formats",
    "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
    "Unable to process input image. Please retry or report in troubleshooting",
    "Too many images in request. Please reduce the number of images",
    "At most 4 image(s) may be provided in one request.",
    "model does not support image input",
    "The PDF specified is password protected.",
    "Failed to load image or audio file",
  ])
    expect([message, codeOf(message)]).toEqual([message, "FILE_REFUSED"]);
  for (const message of ["messages: roles must alternate", "Unknown parameter: 'foo'", "tools.0: invalid schema"])
    expect([message, codeOf(message)]).toEqual([message, "BAD_REQUEST"]);
  expect(codeOf("prompt is too long: 216104 tokens > 200000 maximum")).toBe("CONTEXT_TOO_LONG");
});
