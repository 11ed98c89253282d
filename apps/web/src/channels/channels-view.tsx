import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { CopyButton } from "../controls/copy-button.tsx";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useKept } from "../session/use-kept.ts";
import { useLoad } from "../session/use-load.ts";
import { useRefresh } from "../session/use-refresh.ts";
import { channelWords as said } from "../text/channel-words.ts";
import { words } from "../text/words.ts";
import { ChannelEntry } from "./channel-entry.tsx";

/** Channels change outside the page. */
const refreshMs = 5_000;

export function ChannelsView(): JSX.Element {
  const { loaded, reload } = useLoad((signal) => api.call(routes.listChannels, { signal }), []);
  const channels = useKept(loaded)?.channels;
  useRefresh(reload, refreshMs);
  return (
    <main id="content" class="host channels" tabIndex={-1} aria-label={said.title}>
      <div>
        <h1>{said.title}</h1>
        <p class="quiet">{said.intro}</p>
      </div>
      {loaded.state === "loading" && channels === undefined && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {channels?.length === 0 && (
        <section aria-label={said.title}>
          <p>{said.none}</p>
          <pre tabIndex={0}>{said.lines}</pre>
          <CopyButton text={said.lines} />
        </section>
      )}
      {channels?.map((channel) => (
        <ChannelEntry key={channel.id} channel={channel} onChange={reload} />
      ))}
    </main>
  );
}
