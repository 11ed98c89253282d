import { afterAll, beforeEach } from "bun:test";

interface SharedWorld extends AsyncDisposable {
  readonly model?: { forget(): void };
}

/** Opens a world for all tests of the calling file. Each test begins without recorded requests of its model. */
export async function sharedWorld<World extends SharedWorld>(opening: Promise<World>): Promise<World> {
  const world = await opening;
  afterAll(() => world[Symbol.asyncDispose]());
  beforeEach(() => world.model?.forget());
  return world;
}
