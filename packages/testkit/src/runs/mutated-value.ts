import type { RandomChoices } from "./random-choices.ts";

const odd: readonly [unknown, ...unknown[]] = [
  null,
  0,
  -1,
  1.5,
  7,
  "",
  "x",
  true,
  false,
  [],
  {},
  [null],
  [[]],
  { a: 1 },
  { "": null },
  "\u0000",
  "2027-01-01",
];

/** Removed, null, of another type, unknown, reordered or repeated. */
export function mutatedValue(value: unknown, choices: RandomChoices): unknown {
  const isHere = choices.chance(0.25);
  if (Array.isArray(value) && value.length > 0 && !isHere) {
    const entries: readonly unknown[] = value;
    const index = choices.below(entries.length);
    return choices.one<() => unknown>([
      () => entries.with(index, mutatedValue(entries[index], choices)),
      () => entries.with(index, mutatedValue(entries[index], choices)),
      () => entries.toSpliced(index, 1),
      () => [...entries, entries[index]],
      () => [null, ...entries],
      () => choices.shuffled(entries),
    ])();
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value) && !isHere) {
    const members: readonly (readonly [string, unknown])[] = Object.entries(value);
    const unknown: readonly [string, unknown] = ["x-unknown", choices.one(odd)];
    if (members.length === 0) return Object.fromEntries([unknown]);
    const index = choices.below(members.length);
    const [name, member] = members[index] ?? unknown;
    return choices.one<() => unknown>([
      () => Object.fromEntries(members.with(index, [name, mutatedValue(member, choices)])),
      () => Object.fromEntries(members.with(index, [name, mutatedValue(member, choices)])),
      () => Object.fromEntries(members.with(index, [name, null])),
      () => Object.fromEntries(members.toSpliced(index, 1)),
      () => Object.fromEntries([...members, unknown]),
      () => Object.fromEntries(choices.shuffled(members)),
    ])();
  }
  return choices.one(odd);
}
