import { render } from "preact";
import { Page } from "./shell/page.tsx";

const root = document.querySelector("#app");
if (root === null) throw new Error("The page has no place for its content");
root.replaceChildren();
render(<Page />, root);
