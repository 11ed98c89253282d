import { expect, test } from "bun:test";
import { shownBody } from "./shown-body.ts";

test("shownBody returns the title of an HTML page, or the start of other text on one line", () => {
  const shown = [
    "<!DOCTYPE html>\n<html><head>\n<title>404 &amp; gone</title></head><body><h1>No</h1></body></html>",
    "<html>\n<body><h1 class='x'>Bad\n <b>gateway</b></h1></body></html>",
    "<!doctype html><p>Hello",
    "<!-- made by nginx -->\n<html><title></title></html>",
    '{"error":\n  "none"}',
    "<busy>",
    "x".repeat(5_000),
    "",
  ].map(shownBody);

  expect(shown.slice(0, 6)).toEqual([
    'an HTML page with the title "404 & gone"',
    'an HTML page with the title "Bad gateway"',
    "an HTML page",
    "an HTML page",
    '{"error": "none"}',
    "<busy>",
  ]);
  expect(shown[6]?.length).toBeLessThan(500);
  expect(shown[7]).toBe("");
});

test("[attack:bounds-shown-body] shownBody takes little time for a hostile page", () => {
  const startMs = performance.now();

  const shown = ["<!---->".repeat(24) + "x", `<html>${"<title>".repeat(20_000)}`].map(shownBody);

  expect(shown[1]).toBe("an HTML page");
  expect(performance.now() - startMs).toBeLessThan(100);
});
