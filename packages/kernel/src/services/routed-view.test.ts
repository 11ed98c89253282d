import { expect, test } from "bun:test";
import { routedView } from "./routed-view.ts";

class Desk {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  async find(id: string, shelf = 0): Promise<string> {
    return `${this.name} found ${id} on ${shelf}`;
  }
}

const members = { find: "function", name: "string" } as const;

test("a routed view calls the route's target with arguments, and keeps its own members", async () => {
  const [old, came] = [new Desk("old"), new Desk("new")];
  const view = routedView<Desk>({
    members,
    route: async (about, call) => call(about === "a" ? old : came),
    instead: { name: "both" },
  });

  expect([await view.find("a", 2), await view.find("b"), view.name]).toEqual([
    "old found a on 2",
    "new found b on 0",
    "both",
  ]);
});

test("a routed view rejects a member other than a method", () => {
  const route = (): undefined => undefined;
  expect(() => routedView<Desk>({ members, route, instead: {} })).toThrow('"name" is not a method');
});
