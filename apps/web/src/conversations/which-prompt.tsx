import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { addressOf } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { words } from "../text/words.ts";

interface WhichPromptProps {
  readonly model: string;
  readonly profile: string;
}

const longestLine = 80;

export function WhichPrompt({ model, profile }: WhichPromptProps): JSX.Element {
  const said = words.composer;
  const { loaded } = useLoad(
    async (signal) => {
      const body = Object.fromEntries(Object.entries({ model, profile }).filter(([, value]) => value !== ""));
      const { explain } = await api.call(routes.previewSystemPrompt, { body, signal });
      return explain.tiers.find(({ won }) => won);
    },
    [model, profile],
  );
  const winner = loaded.state === "ready" ? loaded.value : undefined;
  const line = winner?.template?.split("\n").find((one) => one.trim() !== "") ?? "";
  return (
    <section class="which-prompt quiet" aria-busy={loaded.state === "loading"}>
      {loaded.state === "ready" && (
        <p>
          <a href={addressOf({ view: "prompt" })}>{said.prompt}</a>
          {winner === undefined ? said.noPrompt : said.promptFrom(winner.source)}
          {line !== "" && (
            <q dir="auto">{line.length > longestLine ? `${line.slice(0, longestLine).toWellFormed()}…` : line}</q>
          )}
        </p>
      )}
    </section>
  );
}
