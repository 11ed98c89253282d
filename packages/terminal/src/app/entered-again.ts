import type { Stage } from "../screen/stage.ts";

/** Takes the terminal again after it was given away, and draws: a frame that waited when it was left never comes by itself. */
export function enteredAgain(stage: Stage): void {
  stage.start();
  stage.requestRender(true);
}
