import { render } from "preact";
import { Later } from "./shell/later.tsx";
import { Page } from "./shell/page.tsx";

const loadDocs = async () => (await import("./docs/docs-view.tsx")).DocsView;

const root = document.querySelector("#app");
if (root === null) throw new Error("The page has no place for its content");
root.replaceChildren();
// The API reference needs no sign-in.
render(location.pathname === "/docs" ? <Later load={loadDocs} props={{}} /> : <Page />, root);
