import { routes, type ToolServerInfo } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Folded } from "../controls/folded.tsx";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useKept } from "../session/use-kept.ts";
import { useLoad } from "../session/use-load.ts";
import { setupWords } from "../text/setup-words.ts";
import { words } from "../text/words.ts";

const said = setupWords.servers;

export function ToolServersSection(): JSX.Element {
  const { loaded, reload } = useLoad((signal) => api.call(routes.listToolServers, { signal }), []);
  const servers = useKept(loaded)?.servers;
  return (
    <section aria-labelledby="tool-servers">
      <h2 id="tool-servers">{said.title}</h2>
      <p class="quiet">{said.intro}</p>
      {loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {servers?.length === 0 && (
        <>
          <p>{said.none}</p>
          <pre tabIndex={0}>{said.example}</pre>
        </>
      )}
      {servers !== undefined && servers.length > 0 && (
        <ul class="extensions">
          {servers.map((server) => (
            <li key={server.name}>
              <Server server={server} onChange={reload} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const phases = { idle: "stopped", starting: "starting", running: "active", failed: "failed" } as const;

function Server({
  server: { name, target, state, error, tools, problems, instructions },
  onChange,
}: {
  readonly server: ToolServerInfo;
  readonly onChange: () => void;
}): JSX.Element {
  const [isStarting, setIsStarting] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const start = async (): Promise<void> => {
    setIsStarting(true);
    setFailure(undefined);
    await api.call(routes.startToolServer, { params: { name } }).catch(setFailure);
    setIsStarting(false);
    onChange();
  };
  const shown = isStarting ? "starting" : state;
  return (
    <article aria-label={name} data-phase={phases[shown]}>
      <h3 dir="auto">{name}</h3>
      <p class="quiet" role="status">
        {[said.states[shown], tools === null ? said.notListed : said.tools(tools.length)].join(" · ")}
      </p>
      <p>
        <code>{target}</code>
      </p>
      {error !== null && (
        <p class="problem" dir="auto">
          {error}
        </p>
      )}
      {problems.map((problem) => (
        <p key={problem} class="quiet" dir="auto">
          {problem}
        </p>
      ))}
      {tools !== null && tools.length > 0 && (
        <Folded title={said.tools(tools.length)}>
          <dl>
            {tools.map((tool) => (
              <div key={tool.name}>
                <dt>
                  <code>{tool.name}</code>
                  {` · ${[said.approvals[tool.approval], ...(tool.isReadOnly ? [said.readOnly] : [])].join(", ")}`}
                </dt>
                <dd class="described" dir="auto">
                  {tool.description}
                </dd>
              </div>
            ))}
          </dl>
        </Folded>
      )}
      {instructions !== null && (
        <Folded title={said.told}>
          <p class="described" dir="auto">
            {instructions}
          </p>
        </Folded>
      )}
      {failure !== undefined && <Problem error={failure} />}
      {(state === "idle" || state === "failed") && (
        <div class="row">
          <button type="button" class="plain" disabled={isStarting} onClick={() => void start()}>
            {state === "idle" ? said.start : said.again}
          </button>
        </div>
      )}
    </article>
  );
}
