import { render } from "preact";
import { startLanguage } from "./i18n";
import { startNavigation } from "./navigation";
import { App } from "./pages/App";
import { startTheme } from "./theme";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/pages.css";
import "./styles/table.css";

startTheme();
startNavigation();
await startLanguage();

const root = document.getElementById("app");
if (root) render(<App />, root);
