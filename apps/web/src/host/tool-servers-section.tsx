import { routes, type ToolServerInfo } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { Button, Paragraph } from "../controls/fields.tsx";
import { Folded } from "../controls/folded.tsx";
import { Section } from "../controls/layout.tsx";
import { Pending, useTrying } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useRoute } from "../session/use-load.ts";
import { setupWords } from "../text/setup-words.ts";

const said = setupWords.servers;

export function ToolServersSection(): JSX.Element {
  const loaded = useRoute(routes.listToolServers);
  const servers = loaded.known?.servers;
  return (
    <Section id="tool-servers" title={said.title} intro={said.intro}>
      <Pending of={loaded} />
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
              <Server server={server} onChange={loaded.reload} />
            </li>
          ))}
        </ul>
      )}
    </Section>
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
  const { trying, problem, isRunning: isStarting } = useTrying();
  const start = async (): Promise<void> => {
    await trying(() => api.call(routes.startToolServer, { params: { name } }));
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
      {error !== null && <Paragraph class="problem">{error}</Paragraph>}
      {problems.map((text) => (
        <p key={text} class="quiet" dir="auto">
          {text}
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
          <Paragraph class="described">{instructions}</Paragraph>
        </Folded>
      )}
      {problem}
      {(state === "idle" || state === "failed") && (
        <div class="row">
          <Button
            text={state === "idle" ? said.start : said.again}
            class="plain"
            disabled={isStarting}
            onClick={() => void start()}
          />
        </div>
      )}
    </article>
  );
}
