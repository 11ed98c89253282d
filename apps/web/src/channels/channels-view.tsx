import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { Example } from "../controls/layout.tsx";
import { Pending } from "../controls/problem.tsx";
import { useRoute, useRefresh } from "../session/use-load.ts";
import { channelWords as said } from "../text/channel-words.ts";
import { ChannelEntry } from "./channel-entry.tsx";

/** Channels change outside the page. */
const refreshMs = 5_000;

export function ChannelsView(): JSX.Element {
  const loaded = useRoute(routes.listChannels);
  const channels = loaded.known?.channels;
  useRefresh(loaded.reload, refreshMs);
  return (
    <main id="content" class="host channels" tabIndex={-1} aria-label={said.title}>
      <div>
        <h1>{said.title}</h1>
        <p class="quiet">{said.intro}</p>
      </div>
      <Pending of={loaded} />
      {channels?.length === 0 && (
        <section aria-label={said.title}>
          <p>{said.none}</p>
          <Example text={said.lines} />
        </section>
      )}
      {channels?.map((channel) => (
        <ChannelEntry key={channel.id} channel={channel} onChange={loaded.reload} />
      ))}
    </main>
  );
}
