import { expect, test } from "bun:test";
import { isJsonTextTooWide, maxJsonValues } from "./json-bounds.ts";
import { ValueMeter } from "./message-meter.ts";

function valuesOf(text: string): number {
  const meter = new ValueMeter();
  for (const byte of Buffer.from(text)) meter.take(byte);
  return meter.values;
}

test("ValueMeter counts values, and ignores commas and brackets within strings", () => {
  expect(valuesOf("0")).toBe(1);
  expect(valuesOf("[0,0,0]")).toBe(4);
  expect(valuesOf('{"a":{},"b":[1]}')).toBe(5);
  expect(valuesOf('["a,[{\\"\\\\",",,"]')).toBe(3);
});

test("[attack:bounds-mcp-wide-message] ValueMeter counts values on the line after an unclosed quote", () => {
  const wide = `[${"0,".repeat(maxJsonValues)}0]`;

  expect(valuesOf(`id: "\ndata: ${wide}`)).toBeGreaterThan(maxJsonValues);
  expect(valuesOf(wide)).toBeGreaterThan(maxJsonValues);
  expect(isJsonTextTooWide(wide)).toBe(true);
  expect(valuesOf(JSON.stringify([wide]))).toBe(2);
});
