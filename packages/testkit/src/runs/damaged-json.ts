import fc from "fast-check";

const wrong: readonly unknown[] = [
  null,
  undefined,
  0,
  -1,
  1.5,
  2 ** 60,
  "",
  "x",
  true,
  [],
  {},
  [null],
  { id: "x" },
];

/** Damages up to three members of a JSON value, at any depth. */
export function damagedJson(whole: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const damage = fc.array(fc.tuple(fc.nat(1_000), fc.constantFrom(...wrong)), { minLength: 1, maxLength: 3 });
  return fc
    .tuple(whole, damage)
    .map(([value, damages]) => damages.reduce((left, [at, instead]) => replacedAt(left, at, instead), value));
}

function replacedAt(value: unknown, at: number, instead: unknown): unknown {
  const count = membersOf(value);
  let left = count === 0 ? -1 : at % count;
  const copy = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(visit);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, visit(inner)]));
  };
  const visit = (one: unknown): unknown => {
    left -= 1;
    return left === -1 ? instead : copy(one);
  };
  return copy(value);
}

function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + 1 + membersOf(inner), 0);
}
