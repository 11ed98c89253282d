import { expect, test } from "bun:test";
import * as z from "zod";
import { describeValue, withDescriptions } from "./docblocks.ts";

test("withDescriptions wraps fields, members of unions, variables and the bodies of lazy ones", () => {
  const source = `
    /** A name. */
    export const nameSchema = z.string();
    /**
     * A place,
     * such as \`home\`.
     * @public
     */
    const placeSchema = lazySchema(() => z.union([
      z.object({ /** Its name. */ name: nameSchema, isHere: z.boolean() }),
      /** Nowhere. */
      z.null(),
    ]));
    /** Not a value. */
    interface Place { /** Not a value. */ readonly name: string }
    // No docblock.
    const other = { /** Shorthand. */ nameSchema };
  `;

  const described = withDescriptions("/place.ts", source);

  expect(described).toContain('nameSchema = describeValue(z.string(), "A name.");');
  expect(described).toContain("placeSchema = lazySchema(() => describeValue(z.union([");
  expect(described).toContain('name: describeValue(nameSchema, "Its name."), isHere: z.boolean() }');
  expect(described).toContain('describeValue(z.null(), "Nowhere."),');
  expect(described).toContain(']), "A place, such as `home`."));');
  expect(described.match(/describeValue\(/g)).toHaveLength(4);
});

test("describeValue describes schemas and routes, and returns other values unchanged", () => {
  const schema = z.string();

  expect(describeValue(schema, "A name.")).toMatchObject({ description: "A name." });
  expect(schema.description).toBeUndefined();
  expect(describeValue({ method: "GET", path: "/names" }, "Lists names.")).toEqual({
    method: "GET",
    path: "/names",
    description: "Lists names.",
  });
  expect(describeValue(["a"], "Names.")).toEqual(["a"]);
});
